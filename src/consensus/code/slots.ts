import type { CodeFact, CodeKindWords } from "../../model/code.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { disagreement } from "../decide/statistics.js";
import { type CodeRun, type PlacedFact, touches } from "./code-run.js";

/** One thing runs may say something about, with what each of them says. */
export interface Slot {
  key: string;
  kind: CodeKindWords;
  slot: string;
  gone: boolean;
  /** By run: the facts, one per value, sorted by value. */
  by: Map<RunId, PlacedFact[]>;
  /** The same of references, which are told and never counted. */
  references: Map<RunId, PlacedFact[]>;
  /** Keys of the symbols it is said in. */
  symbols: Set<string>;
  /** True where it says little in every run. */
  slight: boolean;
}

/** Calls that collections, texts and numbers of all languages know. */
const everyday =
  /^(?:push|pop|append|add|get|set|put|has|len|size|length|map|filter|slice|splice|join|split|keys|values|items|concat|contains|includes|abs|min|max|floor|round|format|trim|toString|str|string|String|print|println|sort|reduce|forEach|range|next|substr|substring|replace|sprintf|getMessage|isEmpty|is_null|isset|count)$/;

export function isEveryday({ kind, slot }: Pick<CodeFact, "kind" | "slot">): boolean {
  return (kind === "call" || kind === "again") && everyday.test(slot);
}

/** How much a slot says. */
export function weightOf({ kind, slight, gone, slot }: Slot): number {
  const usual = isEveryday({ kind: kind.kind, slot }) ? 0.5 : 1;
  return kind.weight * (slight ? 0.3 : 1) * (gone ? 0.9 : 1) * usual;
}

/** All slots of the runs. What is lost is a slot of its own for each value: it is kept or not. */
export function slotsOf(runs: readonly CodeRun[], kinds: ReadonlyMap<string, CodeKindWords>): Map<string, Slot> {
  const slots = new Map<string, Slot>();
  // Runs that do the same hold the same facts.
  const known = new Map<PlacedFact, Slot>();
  for (const run of runs) {
    for (const fact of run.facts) {
      const kind = kinds.get(fact.kind);
      const slot = known.get(fact) ?? (kind && slotFor(slots, { fact, kind, run }));
      if (!slot) continue;
      if (!run.isReference) known.set(fact, slot);
      say(slot, fact, run);
    }
  }
  for (const [key, slot] of slots) {
    for (const facts of [...slot.by.values(), ...slot.references.values()]) facts.sort(compareFacts);
    // What only a reference says is no choice of the runs.
    if (slot.by.size === 0) slots.delete(key);
  }
  return slots;
}

export function slotKey({ kind, symbol, slot, value, gone }: PlacedFact, { scope, answer }: CodeKindWords): string {
  const where = gone || scope === "symbol" ? symbol : "";
  const parts = [gone ? `lost ${kind}` : kind, where, slot, gone && answer === "value" ? value : ""];
  return parts.filter((part) => part !== "").join(" · ");
}

interface Said {
  fact: PlacedFact;
  kind: CodeKindWords;
  run: CodeRun;
}

function slotFor(slots: Map<string, Slot>, { fact, kind, run }: Said): Slot {
  const key = slotKey(fact, kind);
  const slot: Slot = slots.get(key) ?? {
    key,
    kind,
    slot: fact.slot,
    gone: fact.gone,
    by: new Map(),
    references: new Map(),
    symbols: new Set(),
    slight: true,
  };
  slots.set(key, slot);
  if (!run.isReference) slot.symbols.add(fact.symbol);
  slot.slight &&= fact.slight;
  return slot;
}

function say(slot: Slot, fact: PlacedFact, run: CodeRun): void {
  const said = run.isReference ? slot.references : slot.by;
  const known = said.get(run.id);
  if (known === undefined) said.set(run.id, [fact]);
  else if (!known.some(({ value }) => value === fact.value)) known.push(fact);
}

function compareFacts(a: PlacedFact, b: PlacedFact): number {
  return compareText(a.value, b.value);
}

/** What the asked runs say of a slot: their values as one text, "" for nothing; runs that are not asked are left out. */
export type Answers = ReadonlyMap<RunId, string>;

/** What a run, counted or not, says of a slot. */
export function saidBy({ by, references }: Slot, run: RunId): PlacedFact[] | undefined {
  return by.get(run) ?? references.get(run);
}

/** New facts of one symbol are asked of the runs that touch it; what is lost, and what may be anywhere, of all. */
export function answersTo(slot: Slot, runs: readonly CodeRun[], askAll = false): Answers {
  const own = slot.kind.scope === "symbol" && !slot.gone && !askAll;
  const answers = new Map<RunId, string>();
  for (const run of runs) {
    const said = saidBy(slot, run.id);
    if (said) answers.set(run.id, said.map(({ value }) => value).join("\u0001"));
    else if (!own || [...slot.symbols].some((key) => touches(run, key))) answers.set(run.id, "");
  }
  return answers;
}

export function sizesOf(answers: Answers): number[] {
  const counts = new Map<string, number>();
  for (const value of answers.values()) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].sort((a, b) => b - a);
}

export function spreadOf(answers: Answers): number {
  return disagreement(sizesOf(answers));
}

/** True where knowing the first tells the second, over the runs that answer both. */
export function determines(first: Answers, second: Answers): boolean {
  const seen = new Map<string, string>();
  for (const [run, value] of first) {
    const other = second.get(run);
    if (other === undefined) continue;
    const known = seen.get(value);
    if (known !== undefined && known !== other) return false;
    seen.set(value, other);
  }
  return true;
}
