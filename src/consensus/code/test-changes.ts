import type { CodeReading, SymbolChange } from "../../model/code.js";
import { compareText } from "../../model/text.js";
import type { CodeFactsOf } from "./emit.js";

/** What each run does to the tests: whether it adds, edits, removes or weakens them. */
export function tellTests(readings: readonly CodeReading[], facts: CodeFactsOf): void {
  const told = readings.filter(({ state }) => state === "changed" || state === "tests only" || state === "text only");
  const deeds = new Map(told.map((reading) => [reading, deedOf(reading)]));
  if ([...deeds.values()].every((deed) => deed.value === "none")) return;
  for (const [{ run }, { value, label, weakened }] of deeds) {
    facts.of(run, {
      slot: "code tests",
      aspect: "tests",
      value,
      label,
      title: "Are the tests changed?",
      topic: "changes of tests",
      subject: "tests",
      weight: 1,
      lack: value === "none",
      risk: weakened.length > 0 ? { kind: "damage", text: `removes or weakens tests: ${list(weakened)}` } : null,
    });
  }
}

interface Deed {
  value: string;
  label: string;
  /** Tests that are gone, skipped, or assert less. */
  weakened: string[];
}

function deedOf({ files }: CodeReading): Deed {
  const tests = files.filter(({ fileClass }) => fileClass === "test");
  const changes = tests
    .flatMap(({ symbols }) => symbols)
    .filter(({ kind, status }) => kind !== "imports" && status !== "text");
  const gone = tests.filter(({ status }) => status === "deleted").map(({ path }) => path);
  const weakened = [...gone, ...changes.filter(isWeaker).map(({ name }) => name)].sort(compareText);
  if (weakened.length > 0) return { value: "weakened", label: "removes or weakens tests", weakened };
  if (changes.length > 0) return { value: "changed", label: "adds or edits tests", weakened };
  return { value: "none", label: "leaves tests as they are", weakened };
}

function isWeaker({ status, asserts, skips }: SymbolChange): boolean {
  return status === "removed" || (status === "edited" && (asserts < 0 || skips > 0));
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `\`${name.replaceAll("`", "'")}\``);
  return `${shown.join(", ")}${names.length > 3 ? ` and ${names.length - 3} more` : ""}`;
}
