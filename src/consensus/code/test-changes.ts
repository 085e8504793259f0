import { type CodeReading, type FileReading, type SymbolChange, weakensTests } from "../../model/code.js";
import { groupBy } from "../../model/groups.js";
import { compareText } from "../../model/text.js";
import { baseName } from "./breakage.js";
import { type CodeRun, lastOf, partsOfKey } from "./code-run.js";
import type { CodeFactsOf } from "./emit.js";
import type { Places } from "./place.js";
import { stateSlot } from "./state.js";

/** One choice seen closer and from afar: what is coarser is a detail of it. */
const theme = "theme code tests";

/** What each run does to the tests, and the programs it left behind that it wrote for itself. */
export function tellTests(readings: readonly CodeReading[], facts: CodeFactsOf): void {
  const told = readings.filter(({ state }) => state !== "no patch" && state !== "does not apply");
  const deeds = new Map(told.map((reading) => [reading, deedOf(reading)]));
  const all = [...deeds.values()];
  const hasScratch = all.some(({ scratch }) => scratch.length > 0);
  const hasTests = all.some(({ value }) => value !== "none");
  for (const [{ run }, deed] of deeds) {
    const alike = all.filter(({ value }) => value === deed.value);
    const risk = deed.weakened.length > 0 ? `removes or weakens tests: ${list(deed.weakened)}` : null;
    const label = `${deed.label}${filesOf(alike)}`;
    if (hasTests) {
      facts.of(run, {
        slot: "code tests",
        aspect: "tests",
        value: deed.value,
        label,
        title: "Are the tests changed?",
        topic: "changes of tests",
        subject: "tests",
        weight: 1,
        lack: deed.value === "none",
        links: [theme],
        risk: risk === null ? null : { kind: "damage", text: risk },
      });
    }
    if (hasScratch) tellScratch(run, deed, facts);
    if (hasScratch && hasTests) tellBoth(run, { ...deed, label }, facts);
  }
}

function tellScratch(run: CodeReading["run"], { scratch }: Deed, facts: CodeFactsOf): void {
  facts.of(run, {
    slot: "code scratch",
    aspect: "scratch",
    value: scratch.length > 0 ? "left" : "none",
    label: scratch.length > 0 ? `leaves scratch files: ${list(scratch)}` : "no",
    title: "Are scratch files left behind?",
    topic: "scratch files",
    subject: "scratch files",
    weight: 1,
    lack: scratch.length === 0,
    // Where a run leaves nothing else, its state says so.
    links: [theme, stateSlot],
  });
}

function tellBoth(run: CodeReading["run"], { value, label, scratch }: Deed, facts: CodeFactsOf): void {
  const isLeft = scratch.length > 0;
  const words = value === "none" ? "leaves scratch files only" : `${label}, leaves scratch files`;
  facts.of(run, {
    slot: "code tests and scratch",
    aspect: "tests",
    value: `${value} ${isLeft}`,
    label: isLeft ? words : label,
    title: "Which tests or scratch files are left?",
    topic: "tests and scratch files",
    subject: "tests and scratch files",
    weight: 1,
    lack: value === "none" && !isLeft,
    links: [theme],
  });
}

/** Names of changed functions that are asked for in tests. */
const mostReached = 2;

/** Whether new or changed tests call what the runs change, where some do and some do not. */
export function tellReach(runs: readonly CodeRun[], places: Places, facts: CodeFactsOf): void {
  const calls = new Map(runs.map((run) => [run, callsIn(run.reading.files)]));
  const testing = runs.filter((run) => (calls.get(run)?.size ?? 0) > 0);
  const counted = testing.filter(({ isReference }) => !isReference);
  const names = placeNames(counted, places)
    .map((name) => ({ name, reaching: counted.filter((run) => calls.get(run)?.has(name)).length }))
    .filter(({ reaching }) => reaching >= 2 && counted.length - reaching >= 2)
    .sort((a, b) => b.reaching - a.reaching || compareText(a.name, b.name));
  for (const { name } of names.slice(0, mostReached)) {
    for (const run of testing) {
      const reaches = calls.get(run)?.has(name) ?? false;
      facts.of(run.id, {
        slot: `code reach ${name}`,
        aspect: "reach",
        value: String(reaches),
        label: reaches ? `tests call \`${name}()\`` : "no",
        title: `Do new or changed tests call \`${name}()\`?`,
        topic: `tests that call \`${name}()\``,
        subject: `\`${name}()\``,
        weight: 1,
        lack: !reaches,
      });
    }
  }
}

/** Names of the functions that nearly all of some runs change where the change is made. */
function placeNames(runs: readonly CodeRun[], places: Places): string[] {
  const keys = runs.flatMap(({ symbols }) =>
    symbols.filter(({ key, change }) => places.symbols.has(key) && change.kind === "function").map(({ key }) => key),
  );
  const usual = [...groupBy(keys, (key) => key)].filter(([, each]) => each.length >= 0.8 * runs.length);
  return [...new Set(usual.map(([key]) => lastOf(partsOfKey(key).name).replace(/#\d+$/, "")))];
}

/** What tests call that were added or changed. */
function callsIn(files: readonly FileReading[]): ReadonlySet<string> {
  const changes = files.filter(({ fileClass }) => fileClass === "test").flatMap(changesOf);
  const calls = changes.flatMap(({ facts }) =>
    facts.filter(({ kind, gone }) => !gone && (kind === "call" || kind === "again")),
  );
  return new Set(calls.map(({ slot }) => slot));
}

interface Deed {
  value: "weakened" | "changed" | "none";
  label: string;
  /** Tests that are gone, skipped, or assert less. */
  weakened: string[];
  /** Test files with changes, and scratch files. */
  files: string[];
  scratch: string[];
}

function deedOf({ files }: CodeReading): Deed {
  const tests = files.filter(({ fileClass }) => fileClass === "test");
  const scratch = namesOf(files.filter(({ fileClass }) => fileClass === "scratch"));
  const changed = tests.filter((file) => file.status === "deleted" || changesOf(file).length > 0);
  const gone = tests.filter(({ status }) => status === "deleted").map(({ path }) => path);
  const changes = changed.flatMap(changesOf);
  const weakened = [...gone, ...changes.filter(weakensTests).map(({ name }) => name)].sort(compareText);
  const rest = { weakened, scratch, files: namesOf(changed) };
  if (weakened.length > 0) return { value: "weakened", label: "removes or weakens tests", ...rest };
  if (changes.length > 0) return { value: "changed", label: "adds or edits tests", ...rest };
  return { value: "none", label: "leaves tests as they are", ...rest };
}

function changesOf({ symbols }: FileReading): SymbolChange[] {
  return symbols.filter(({ kind, status }) => kind !== "imports" && status !== "text");
}

function namesOf(files: readonly FileReading[]): string[] {
  return [...new Set(files.map(({ path }) => baseName(path)))].sort(compareText);
}

/** The test files that all of some runs change. */
function filesOf(alike: readonly Deed[]): string {
  const [first, ...others] = alike;
  const shared = (first?.files ?? []).filter((file) => others.every(({ files }) => files.includes(file)));
  return shared.length > 0 ? ` in ${list(shared)}` : "";
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `\`${name.replaceAll("`", "'")}\``);
  return `${shown.join(", ")}${names.length > 3 ? ` and ${names.length - 3} more` : ""}`;
}
