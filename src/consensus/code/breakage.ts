import { rootSlots } from "../../model/fact.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { type CodeRun, type PlacedFact, partsOfKey } from "./code-run.js";
import type { CodeFactsOf } from "./emit.js";
import { symbolLabel } from "./place.js";
import { labelOf } from "./rows.js";
import type { Slot } from "./slots.js";

/** What few runs take away may break what others rely on. */
const breaking = new Set(["set", "raise", "reject", "catch", "generator", "route"]);
/** Things of one file a run loses that are told one by one; more are one statement. */
const mostLosses = 3;

/** Asked of all runs that changed anything, and told as a risk alone. */
const damage = {
  parents: [rootSlots.run],
  aspect: "presence",
  value: "present",
  absentLabel: "no",
  riskOnly: true,
};

interface Loss {
  file: string;
  line: number;
  /** What is lost, in words: `removes \`Session.close\``. */
  text: string;
  where: string;
}

/** What at most a fifth of the runs remove or break: shown in every report. */
export function tellBreakage(slots: Iterable<Slot>, runs: readonly CodeRun[], facts: CodeFactsOf): void {
  const few = Math.max(1, Math.floor(runs.length / 5));
  const losses = new Map(runs.map(({ id }) => [id, [] as Loss[]]));
  const byId = new Map(runs.map((run) => [run.id, run]));
  for (const slot of slots) {
    if (!slot.gone || slot.by.size > few || slot.slight || !breaking.has(slot.kind.kind)) continue;
    for (const [run, said] of slot.by) {
      const lost = said.filter((fact) => !isReplaced(fact, byId.get(run)));
      const [first] = lost;
      if (!first || isRemoved(first.symbol, byId.get(run))) continue;
      const where = ` in ${symbolLabel(first.symbol, false)}`;
      losses.get(run)?.push({ file: first.file, line: first.line, text: labelOf(slot, lost), where });
    }
  }
  const removals = runs.flatMap((run) => removedBy(run));
  for (const { run, key, ...loss } of removals) {
    if (removals.filter((other) => other.key === key).length <= few) losses.get(run)?.push(loss);
  }
  for (const [run, all] of losses) tellLosses(run, all, facts);
  for (const run of runs) tellUndefined(run, facts);
  tellBroken(runs, facts);
}

/** Set elsewhere, or in another way, is not lost. */
function isReplaced({ kind, slot, value }: PlacedFact, run: CodeRun | undefined): boolean {
  return (run?.facts ?? []).some(
    (fact) => !fact.gone && fact.kind === kind && fact.slot === slot && (kind === "set" || fact.value === value),
  );
}

/** With a whole symbol goes all that was in it. */
function isRemoved(key: string, run: CodeRun | undefined): boolean {
  return (run?.symbols ?? []).some((symbol) => symbol.key === key && symbol.change.status === "removed");
}

function removedBy({ id, symbols }: CodeRun): (Loss & { run: RunId; key: string })[] {
  return symbols.flatMap(({ key, change, file }) => {
    const { status, kind, exported, movedTo, line } = change;
    // Where a text does not parse, nobody knows what is left of it.
    const known = file.broken === null && kind !== "imports" && kind !== "code" && exported;
    if (!known || file.status === "deleted") return [];
    const loss = { run: id, key, file: file.path, line, where: "" };
    const name = symbolLabel(key, false);
    if (movedTo !== undefined) return [{ ...loss, text: `moves ${name} to \`${movedTo.replaceAll("`", "'")}\`` }];
    return status === "removed" ? [{ ...loss, text: `removes ${name}` }] : [];
  });
}

function tellLosses(run: RunId, losses: readonly Loss[], facts: CodeFactsOf): void {
  const files = [...new Set(losses.map(({ file }) => file))].sort(compareText);
  for (const file of files) {
    const own = losses
      .filter((loss) => loss.file === file)
      .sort((a, b) => compareText(a.where, b.where) || compareText(a.text, b.text));
    const told = own.length > mostLosses ? [together(own)] : own;
    for (const { text, where, line } of told) {
      const name = baseName(file);
      facts.of(run, {
        slot: `code loss ${file} ${text}${where}`,
        ...damage,
        label: text,
        title: `What does \`${name}\` lose?`,
        topic: `what \`${name}\` loses`,
        subject: `\`${name}\``,
        weight: 2,
        risk: { kind: "damage", text: where === "" ? `${text} (\`${name}\`)` : `${text}${where}` },
        evidence: [{ file, line }],
      });
    }
  }
}

function together(losses: readonly Loss[]): Loss {
  const [first] = losses;
  const shown = losses.slice(0, mostLosses).map(({ text, where }) => `${text}${where}`);
  const text = `${shown.join(", ")} and ${losses.length - mostLosses} more`;
  return { file: first?.file ?? "", line: first?.line ?? 1, text, where: "" };
}

function tellUndefined({ id, reading }: CodeRun, facts: CodeFactsOf): void {
  for (const { path, undefinedNames, fileClass } of reading.files) {
    if (fileClass !== "source" && fileClass !== "test") continue;
    const file = `\`${baseName(path)}\``;
    for (const { name, line } of undefinedNames.slice(0, mostLosses)) {
      const text = `uses \`${name.replaceAll("`", "'")}\`, which ${file} never defines`;
      facts.of(id, {
        slot: `code broken ${text}`,
        ...damage,
        label: text,
        title: "Does the code know its names?",
        topic: "names nothing defines",
        subject: "names nothing defines",
        weight: 3,
        risk: { kind: "damage", text },
        evidence: [{ file: path, line }],
      });
    }
  }
}

/** Whether the code parses is a row as soon as it does not in any run. */
function tellBroken(runs: readonly CodeRun[], facts: CodeFactsOf): void {
  const broken = new Map(runs.map(({ id, reading }) => [id, brokenIn(reading.files)]));
  if ([...broken.values()].every((files) => files.length === 0)) return;
  for (const [run, files] of broken) {
    const text = files.map(({ path }) => `\`${baseName(path)}\``).join(" and ");
    facts.of(run, {
      slot: "code parse",
      aspect: "parse",
      value: files.length > 0 ? "broken" : "parses",
      label: files.length > 0 ? "does not parse" : "parses",
      title: "Does the changed code parse?",
      topic: "whether the code parses",
      subject: "the code",
      weight: 3,
      risk: files.length > 0 ? { kind: "damage", text: `${text} ${files.length > 1 ? "do" : "does"} not parse` } : null,
      evidence: files.map(({ path, broken: line }) => ({ file: path, line })),
    });
  }
}

function brokenIn(files: CodeRun["reading"]["files"]): CodeRun["reading"]["files"] {
  return files
    .filter(({ broken, fileClass }) => broken !== null && (fileClass === "source" || fileClass === "test"))
    .slice(0, mostLosses);
}

export function baseName(path: string): string {
  return (path.split("/").at(-1) ?? path).replaceAll("`", "'");
}

/** The file of a symbol without its folders. */
export function fileOf(key: string): string {
  return baseName(partsOfKey(key).file);
}
