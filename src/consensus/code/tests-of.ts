import type { CodeKindWords } from "../../model/code.js";
import { groupBy } from "../../model/groups.js";
import type { PlacedFact } from "./code-run.js";

/** A test of the flow is made of parts: what only moved into another test, or stays in it, is neither new nor gone. */
export function splitTests(facts: readonly PlacedFact[]): PlacedFact[] {
  const tests = groupBy(facts.filter(isTest), ({ symbol }) => symbol);
  return facts.flatMap((fact): PlacedFact[] => {
    if (!isTest(fact)) return [fact];
    const opposite = tests.get(fact.symbol)?.filter(({ gone }) => gone !== fact.gone) ?? [];
    const others = new Set(opposite.flatMap(({ slot }) => partsOf(slot)));
    const own = partsOf(fact.slot);
    const shown = partsOf(fact.shown);
    const left = own.flatMap((part, at) => (others.has(part) ? [] : [{ part, shown: shown[at] ?? part }]));
    if (left.length === own.length) return [fact];
    return left.map(({ part, shown: words }) => ({ ...fact, slot: `if ${part}`, shown: `if ${words}` }));
  });
}

function isTest({ kind, slot }: PlacedFact): boolean {
  return kind === "cond" && slot.startsWith("if ") && !slot.endsWith("…");
}

/** `if a and b or c`: a, b, c. What is in brackets or quotes stays whole. */
export function partsOf(test: string): string[] {
  const text = test.replace(/^if /, "");
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (quote !== "") {
      if (character === "\\") at++;
      else if (character === quote) quote = "";
    } else if (/["'`]/.test(character)) quote = character;
    else if (/[([{]/.test(character)) depth++;
    else if (/[)\]}]/.test(character)) depth--;
    const joint = depth === 0 && quote === "" ? /^ (?:and|or) /.exec(text.slice(at, at + 5)) : null;
    if (joint) {
      parts.push(text.slice(start, at));
      at += joint[0].length - 1;
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** Runs that test one thing in unlike ways agree that it is tested. */
export const testedNames: CodeKindWords = {
  kind: "tested",
  weight: 2.2,
  answer: "presence",
  scope: "symbol",
  loss: false,
  title: ({ slot, where }) => {
    const title = `Is there a test on \`${slot}\`${where}?`;
    return [...title].length <= 80 ? title : `Is there a test on \`${slot}\`?`;
  },
  label: (_value, { slot }) => `tests \`${slot}\``,
  absent: () => "not tested",
};

/** One fact for each name that new tests of a symbol look at; local variables, which are `_` or have a sigil, are none. */
export function testedIn(facts: readonly PlacedFact[]): PlacedFact[] {
  const found = new Map<string, PlacedFact>();
  for (const fact of facts) {
    if (fact.kind !== "cond" || fact.gone || fact.slight) continue;
    for (const name of namesIn(fact.slot.replace(/^\w+ /, ""))) {
      const key = `${fact.symbol}\u0001${name}`;
      if (!found.has(key))
        found.set(key, { ...fact, kind: testedNames.kind, slot: name, value: "tested", shown: name });
    }
  }
  return [...found.values()];
}

const words = /^(?:not|and|or|is|in|null|none|nil|true|false|if|else|typeof|instanceof|_+|self|this)$/i;

function namesIn(test: string): Set<string> {
  const plain = test.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`/g, '""');
  const names = [...plain.matchAll(/(?<![\p{L}\p{N}_$@])[\p{L}_][\p{L}\p{N}_]*(?!\s*\(|[\p{L}\p{N}_])/gu)];
  return new Set(names.map(([name]) => name).filter((name) => name.length > 2 && !words.test(name)));
}
