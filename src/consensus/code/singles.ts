import { rootSlots } from "../../model/fact.js";
import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import type { CodeRun, PlacedFact } from "./code-run.js";
import type { CodeFactsOf } from "./emit.js";
import { symbolLabel } from "./place.js";
import { labelOf, reportWeight, tellSlot } from "./rows.js";
import { type Slot, weightOf } from "./slots.js";

/** What a run does alone is told up to this number of things. */
const mostSingles = 4;
/** What a run does alone and is worth telling. */
const telling = new Set([
  "reject",
  "raise",
  "cond",
  "generator",
  "async",
  "again",
  "fallback",
  "param",
  "typetest",
  "call",
  "kwarg",
  "set",
  "route",
  "env",
  "status",
  "catch",
  "const",
  "items",
  "table",
  "setting",
  "decorator",
  "error-class",
]);
/** What few runs take away may break what others rely on. */
const breaking = new Set(["set", "raise", "reject", "catch", "generator", "route"]);

/** What one run alone adds: the things that say most. */
export function tellSingles(slots: Iterable<Slot>, runs: readonly CodeRun[], facts: CodeFactsOf): void {
  const alone = [...slots].filter(
    ({ by, gone, slight, kind }) => by.size === 1 && !gone && !slight && telling.has(kind.kind),
  );
  const byRun = groupBy(alone, ({ by }) => [...by.keys()][0]);
  for (const own of byRun.values()) {
    const ranked = [...own].sort((a, b) => weightOf(b) - weightOf(a) || compareText(a.key, b.key));
    const seen = new Set<string>();
    for (const slot of ranked) {
      const words = labelOf(slot, [...slot.by.values()][0]);
      if (seen.size >= mostSingles || seen.has(words)) continue;
      seen.add(words);
      // Also of runs that leave the symbol alone: it is one run's own matter.
      tellSlot(slot, runs, facts, { askAll: true });
    }
  }
}

/** What at most a fifth of the runs remove or break: shown in every report. */
export function tellBreakage(slots: Iterable<Slot>, runs: readonly CodeRun[], facts: CodeFactsOf): void {
  const few = Math.max(1, Math.floor(runs.length / 5));
  const byId = new Map(runs.map((run) => [run.id, run]));
  for (const slot of slots) {
    if (!slot.gone || slot.by.size > few || slot.slight || !breaking.has(slot.kind.kind)) continue;
    for (const [run, said] of slot.by) {
      const lost = said.filter((fact) => !isReplaced(fact, byId.get(run)));
      if (lost.length > 0) tellLoss(run, slot, lost, facts);
    }
  }
  for (const run of runs) for (const text of brokenIn(run)) tellBroken(run.id, text, facts);
}

/** Set elsewhere, or in another way, is not lost. */
function isReplaced({ kind, slot, value }: PlacedFact, run: CodeRun | undefined): boolean {
  return (run?.facts ?? []).some(
    (fact) => !fact.gone && fact.kind === kind && fact.slot === slot && (kind === "set" || fact.value === value),
  );
}

/** Asked of all runs that changed anything, and told as a risk alone. */
const damage = {
  parents: [rootSlots.run],
  aspect: "presence",
  value: "present",
  absentLabel: "no",
  riskOnly: true,
};

function tellLoss(run: RunId, slot: Slot, lost: readonly PlacedFact[], facts: CodeFactsOf): void {
  const [first] = lost;
  if (!first) return;
  const label = labelOf(slot, lost);
  const where = symbolLabel(first.symbol, false);
  facts.of(run, {
    slot: `code loss ${slot.key}`,
    ...damage,
    label,
    title: `What becomes of ${where}?`,
    topic: `what ${where} loses`,
    subject: where,
    weight: reportWeight(slot.kind.weight),
    risk: { kind: "damage", text: `${label} in ${where}` },
    evidence: [{ file: first.file, line: first.line }],
  });
}

function tellBroken(run: RunId, text: string, facts: CodeFactsOf): void {
  facts.of(run, {
    slot: `code broken ${text}`,
    ...damage,
    label: text,
    title: "Does the code parse and know its names?",
    topic: "code that cannot work",
    subject: "code",
    weight: 3,
    risk: { kind: "damage", text },
  });
}

function brokenIn({ reading, symbols }: CodeRun): string[] {
  const removed = symbols
    .filter(
      ({ change }) =>
        change.status === "removed" && change.exported && change.kind !== "imports" && change.kind !== "code",
    )
    .map(({ key, file }) => (file.status === "deleted" ? undefined : `removes ${symbolLabel(key, true)}`));
  return [
    ...reading.files.flatMap(({ path, broken, undefinedNames, fileClass }) => {
      if (fileClass !== "source" && fileClass !== "test") return [];
      const file = `\`${path.replaceAll("`", "'")}\``;
      return [
        ...(broken === null ? [] : [`${file} does not parse (line ${broken})`]),
        ...undefinedNames
          .slice(0, 3)
          .map(({ name, line }) => `uses \`${name}\`, which ${file} never defines (line ${line})`),
      ];
    }),
    ...removed.filter((text) => text !== undefined).slice(0, 5),
  ];
}
