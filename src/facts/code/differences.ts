import { createHash } from "node:crypto";
import type { CodeFact, SymbolChange } from "../../model/code.js";
import { asserting, skipping } from "./asserts.js";
import { elementChange } from "./kinds/elements.js";
import { kinds } from "./kinds/kinds.js";
import { type Observation, type Observations, observe } from "./observe.js";
import { pairSymbols, routeName } from "./pairs.js";
import { insertedAfter } from "./position.js";
import type { CodeSymbol, CodeText } from "./syntax.js";

const byKind = new Map(kinds.map((kind) => [kind.kind, kind]));
const nothing: Observations = new Map();
const longestText = 20_000;

/** What a file's symbols do differently after the run, symbol by symbol. A side that is null has none. */
export function differences(before: CodeText | null, after: CodeText | null): SymbolChange[] {
  // What stands where in a text that does not parse is a guess of the parser.
  const isBroken = (after?.broken.length ?? 0) > 0;
  const changes = pairSymbols(before, after).flatMap(({ name, old, now }): SymbolChange[] => {
    if (!now || !after) return old && before ? [removed(old, before)] : [];
    const documented = old !== null && isReworded(old, now);
    const found = compare(old && before ? [old, before] : null, [now, after]);
    // A comment before a symbol is no part of its text.
    const edit = found ?? (documented ? change([now, after], { status: "text", facts: [] }) : undefined);
    const moved = old && name !== now.name && !isBroken && !isSameSpelled(name, now.name);
    if (!moved) return edit ? [{ ...edit, name, documented }] : [];
    return [{ ...(found ?? unchanged([now, after])), status: "edited", name, documented, movedTo: now.name }];
  });
  return changes.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isReworded(old: CodeSymbol, now: CodeSymbol): boolean {
  const plain = ({ documentation }: CodeSymbol) => documentation.replace(/\s+/g, " ").trim();
  return plain(old) !== plain(now);
}

/** The number of an overload is its place among them, and what a route calls its parameters is no name of it. */
function isSameSpelled(a: string, b: string): boolean {
  const route = routeName(a);
  return a.replace(/#\d+$/, "") === b.replace(/#\d+$/, "") || (route !== null && route === routeName(b));
}

function unchanged(side: Side): SymbolChange {
  return change(side, { status: "edited", facts: [] });
}

type Side = [CodeSymbol, CodeText];

function compare(old: Side | null, now: Side): SymbolChange | undefined {
  const [symbol, text] = now;
  if (old && sameForm(old[0], symbol)) {
    return textOf(old) === textOf(now) ? undefined : change(now, { status: "text", facts: [] });
  }
  const facts = factsBetween(old ? observedInBase(old) : nothing, observe(symbol, text));
  if (!old && !parts.has(symbol.kind)) facts.push(presence(symbol, false));
  return {
    ...change(now, { status: old ? "edited" : "added", facts }),
    identifiers: changedNames(old?.[0].normalForm ?? [], symbol.normalForm),
    position: old ? insertedAfter(old, now) : null,
    asserts: asserting(now) - (old ? asserting(old) : 0),
    skips: skipping(now) - (old ? skipping(old) : 0),
  };
}

/** What base says is asked again for every run. */
const observed = new WeakMap<CodeSymbol, Observations>();

function observedInBase([symbol, text]: Side): Observations {
  const known = observed.get(symbol) ?? observe(symbol, text);
  observed.set(symbol, known);
  return known;
}

function removed(symbol: CodeSymbol, text: CodeText): SymbolChange {
  const side: Side = [symbol, text];
  const lost = factsBetween(observe(symbol, text), nothing).filter(({ kind }) => told.has(kind));
  const itself = parts.has(symbol.kind) ? [] : [presence(symbol, true)];
  return {
    ...change(side, { status: "removed", facts: [...itself, ...lost] }),
    identifiers: changedNames(symbol.normalForm, []),
    asserts: -asserting(side),
    skips: -skipping(side),
  };
}

/** What still says something once the whole symbol is gone. */
const told = new Set(["route", "reject", "raise", "set", "env", "table", "setting", "import"]);
/** Parts of a file that have no name of their own. */
const parts = new Set<CodeSymbol["kind"]>(["imports", "code"]);

function change(side: Side, given: Pick<SymbolChange, "status" | "facts">): SymbolChange {
  const [symbol] = side;
  return {
    name: symbol.name,
    kind: symbol.kind,
    ...given,
    normal: createHash("sha256").update(symbol.normalForm.join("\u0001")).digest("hex").slice(0, 16),
    text: textOf(side).slice(0, longestText),
    line: symbol.line,
    endLine: symbol.endLine,
    identifiers: [],
    position: null,
    asserts: 0,
    skips: 0,
    exported: symbol.exported,
  };
}

function presence({ name, line, kind }: CodeSymbol, gone: boolean): CodeFact {
  return {
    kind: "symbol",
    slot: name,
    value: gone ? "removed" : `${kind} added`,
    shown: name,
    gone,
    slight: false,
    line,
  };
}

function sameForm(a: CodeSymbol, b: CodeSymbol): boolean {
  return (
    a.normalForm.length === b.normalForm.length && a.normalForm.every((token, index) => token === b.normalForm[index])
  );
}

function textOf([symbol, { text }]: Side): string {
  if (symbol.nodes.length > 0) return symbol.nodes.map(({ start, end }) => text.slice(start, end)).join("\n");
  return text
    .split("\n")
    .slice(symbol.line - 1, symbol.endLine)
    .join("\n");
}

/** Sets, not multisets: a line that only moved or was indented says nothing. */
function factsBetween(before: Observations, after: Observations): CodeFact[] {
  const facts: CodeFact[] = [];
  for (const [key, found] of after) {
    const old = before.get(key);
    if (!old) {
      if (before !== nothing || !byKind.get(found.kind)?.ofChanges) facts.push(fact(found, false));
    } else if (found.kind === "call" && !found.slight && found.count > old.count) {
      facts.push({ ...fact(found, false), kind: "again", value: "once more" });
    }
  }
  for (const [key, found] of before) {
    if (!after.has(key) && byKind.get(found.kind)?.loss) facts.push(fact(found, true));
  }
  return settle(facts, before, after);
}

function fact({ kind, slot, value, shown, slight, line }: Observation, gone: boolean): CodeFact {
  return { kind, slot, value, shown: shown ?? value, gone, slight: slight ?? false, line };
}

/** Collections by what came and went, and texts only where the same text said something else before. */
function settle(facts: readonly CodeFact[], before: Observations, after: Observations): CodeFact[] {
  const [had, has] = [slotsOf(before), slotsOf(after)];
  const collections = facts.flatMap((each) => (each.kind === "items" ? collection(each, had, has) : []));
  const owners = new Set(collections.map(({ slot }) => slot));
  const kept = facts.filter(({ kind, slot, value, gone }) => {
    if (kind === "items") return false;
    if (kind === "const" && owners.has(slot)) return false;
    if (kind === "assign") return had.has(`assign ${slot}`) && !owners.has(slot);
    // What is passed can be compared where the call is made once before and after.
    if (kind === "args") {
      if (collections.some((each) => value.includes(each.slot.replace(/, …\]$/, "")))) return false;
      return had.get(`args ${slot}`)?.length === 1 && has.get(`args ${slot}`)?.length === 1;
    }
    if (gone && byKind.get(kind)?.answer === "value") return !isReplaced(kind, slot, facts);
    return true;
  });
  return [...kept, ...collections];
}

/** A value that only changed is told as the new one. */
function isReplaced(kind: string, slot: string, facts: readonly CodeFact[]): boolean {
  const same = facts.filter((each) => each.kind === kind && each.slot === slot);
  const lost = same.filter(({ gone }) => gone).length;
  return same.length - lost >= lost;
}

type Slots = ReadonlyMap<string, readonly Observation[]>;

/** Slots that are new, and slots that stand for two collections, cannot be compared. */
function collection(now: CodeFact, had: Slots, has: Slots): CodeFact[] {
  const old = had.get(`items ${now.slot}`);
  if (old?.length !== 1 || !old[0] || has.get(`items ${now.slot}`)?.length !== 1) return [];
  const value = elementChange(old[0].value, now.value);
  return value === undefined ? [] : [{ ...now, value, shown: value }];
}

function slotsOf(observations: Observations): Map<string, Observation[]> {
  const slots = new Map<string, Observation[]>();
  for (const each of observations.values()) {
    const key = `${each.kind} ${each.slot}`;
    slots.set(key, [...(slots.get(key) ?? []), each]);
  }
  return slots;
}

/** Names used more or less often than before. */
function changedNames(before: readonly string[], after: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const token of before) if (isName(token)) counts.set(token, (counts.get(token) ?? 0) - 1);
  for (const token of after) if (isName(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count !== 0)
    .map(([name]) => name)
    .sort();
}

function isName(token: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(token);
}
