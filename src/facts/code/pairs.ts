import { groupBy } from "../../model/groups.js";
import { templateWords } from "./kinds/route-words.js";
import type { CodeSymbol, CodeText } from "./syntax.js";

/** A symbol of base and what became of it; one side is null where it came or went. */
export interface SymbolPair {
  /** Base's name, where base has it. */
  name: string;
  old: CodeSymbol | null;
  now: CodeSymbol | null;
}

/**
 * Which symbol after the run is which of base. Equal names are one; of several with one name (overloads are numbered in
 * their order) those of equal text are, then those of equal place. What is left and has the same own name elsewhere in
 * the file has moved, what answers the same route is one under any names of its parameters, and what is left with the very same text has another name.
 */
export function pairSymbols(before: CodeText | null, after: CodeText | null): SymbolPair[] {
  const left = { old: new Map(before?.symbols), now: new Map(after?.symbols) };
  const pairs: SymbolPair[] = [];
  const pair = (old: string, now: string) => {
    const [was, is] = [left.old.get(old), left.now.get(now)];
    if (!was || !is || was.kind !== is.kind) return;
    pairs.push({ name: old, old: was, now: is });
    left.old.delete(old);
    left.now.delete(now);
  };
  for (const [old, now] of [...equalForms(overloads(left), plainName)]) pair(old, now);
  for (const name of [...left.old.keys()]) if (left.now.has(name)) pair(name, name);
  // Parts of a file that have no name of their own do not move.
  for (const [old, now] of [...equalForms(left, ownName)]) pair(old, now);
  for (const [old, now] of [...sameRoutes(left)]) pair(old, now);
  for (const [old, now] of [...inOrder(left)]) pair(old, now);
  for (const [old, now] of [...renamed(left)]) pair(old, now);
  for (const [name, old] of left.old) pairs.push({ name, old, now: null });
  for (const [name, now] of left.now) pairs.push({ name, old: null, now });
  return pairs;
}

interface Left {
  old: ReadonlyMap<string, CodeSymbol>;
  now: ReadonlyMap<string, CodeSymbol>;
}

type Naming = (name: string) => string | null;

/** Without the number of an overload. */
function plainName(name: string): string {
  return name.replace(/#\d+$/, "");
}

/** Without what it belongs to. */
function ownName(name: string): string | null {
  return name.includes("<") ? null : (plainName(name).split(".").at(-1) ?? null);
}

function* equalForms({ old, now }: Left, naming: Naming): Generator<[string, string]> {
  const known = groupBy(old, ([name, symbol]) => `${naming(name)}\u0001${formOf(symbol)}`);
  for (const [name, symbol] of now) {
    // An equal name keeps what is equal in it.
    const same = known.get(`${naming(name)}\u0001${formOf(symbol)}`) ?? [];
    const at = Math.max(
      0,
      same.findIndex(([other]) => other === name),
    );
    const [found] = naming(name) === null ? [] : same.splice(at, 1);
    if (found) yield [found[0], name];
  }
}

/** Names that stand for several symbols on either side; all others are found by name alone. */
function overloads({ old, now }: Left): Left {
  const several = [old, now]
    .flatMap((side) => [...groupBy(side.keys(), plainName)])
    .filter(([, each]) => each.length > 1);
  const names = new Set(several.map(([name]) => name));
  const among = (side: Left["old"]) => new Map([...side].filter(([name]) => names.has(plainName(name))));
  return { old: among(old), now: among(now) };
}

/** `app.get("/users/:id")` and `app.get("/users/:userId")` answer the same; null for what is no route. */
export function routeName(name: string): string | null {
  const [, call, template] = /^([\w.]+\()["'`](\/[^"'`]*)["'`]\)$/.exec(plainName(name)) ?? [];
  return template === undefined ? null : `${call}${templateWords("", template)}`;
}

function* sameRoutes({ old, now }: Left): Generator<[string, string]> {
  const others = groupBy(now, ([name]) => routeName(name));
  for (const [route, symbols] of groupBy(old, ([name]) => routeName(name))) {
    const [one, ...rest] = symbols;
    const [other, ...more] = route === null ? [] : (others.get(route) ?? []);
    if (one && other && rest.length === 0 && more.length === 0) yield [one[0], other[0]];
  }
}

/** Where as many are left on both sides, one is told from the other by their order; those that are unlike are not one. */
function* inOrder({ old, now }: Left): Generator<[string, string]> {
  const others = groupBy(now, ([name]) => ownName(name));
  for (const [own, symbols] of groupBy(old, ([name]) => ownName(name))) {
    const same = own === null ? [] : (others.get(own) ?? []);
    if (same.length !== symbols.length) continue;
    for (const [at, [name, symbol]] of symbols.entries()) {
      const [other, found] = same[at] ?? [];
      if (other !== undefined && found && likeness(symbol, found) >= alike) yield [name, other];
    }
  }
}

/** Shared by this part of all tokens two symbols hold, they can be one. */
const alike = 0.5;

/** Dice coefficient of the tokens. It says which is which, never that two are the same. */
function likeness({ normalForm: a }: CodeSymbol, { normalForm: b }: CodeSymbol): number {
  const counts = new Map<string, number>();
  for (const token of a) counts.set(token, (counts.get(token) ?? 0) + 1);
  let shared = 0;
  for (const token of b) {
    const count = counts.get(token) ?? 0;
    if (count > 0) shared++;
    counts.set(token, count - 1);
  }
  return (2 * shared) / Math.max(1, a.length + b.length);
}

/** Tokens from which on equal texts are no coincidence. */
const telling = 12;

/** The same text under another name; a name that is said inside is another text. */
function* renamed({ old, now }: Left): Generator<[string, string]> {
  const nameless = (name: string, { normalForm }: CodeSymbol) => {
    const own = ownName(name);
    return normalForm.map((token) => (token === own ? "\u0002" : token)).join("\u0001");
  };
  const long = (all: ReadonlyMap<string, CodeSymbol>) =>
    [...all].filter(([name, { normalForm }]) => ownName(name) !== null && normalForm.length >= telling);
  const known = groupBy(long(old), ([name, symbol]) => nameless(name, symbol));
  for (const [name, symbol] of long(now)) {
    const [found, ...more] = known.get(nameless(name, symbol)) ?? [];
    if (found && more.length === 0) yield [found[0], name];
  }
}

function formOf({ kind, normalForm }: CodeSymbol): string {
  return `${kind}\u0001${normalForm.join("\u0001")}`;
}
