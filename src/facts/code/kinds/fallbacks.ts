import { partOf, partsOf, type SyntaxNode, walk } from "../syntax.js";
import { type CodeKind, cut, type Found, type Place, quoted } from "./kind.js";
import { around, bare, lastName, stringOf } from "./spelling.js";

const or = new Set(["or", "||", "??", "?:"]);
/** Methods whose last argument is what there is otherwise, and how many arguments they then have. */
const getters: Record<string, number> = {
  getattr: 3,
  get: 2,
  getOrDefault: 2,
  fetch: 2,
  unwrap_or: 1,
  unwrap_or_else: 1,
  orElse: 1,
  orElseGet: 1,
  GetValueOrDefault: 1,
  getProperty: 2,
};

/** What is taken where something is missing. */
export const fallbacks: CodeKind = {
  kind: "fallback",
  weight: 3,
  answer: "value",
  scope: "anywhere",
  loss: true,
  roles: ["binary", "choose", "if", "call"],
  read(node, place) {
    const found = readers[node.role ?? ""]?.(node, place) ?? [];
    // What a local falls back to is a matter of its own function; its name says nothing to others.
    return found.filter(({ slot, value }) => slot !== "" && slot !== "_" && value !== "");
  },
  title: ({ slot, gone }) =>
    gone ? `Does ${quoted(slot, 40)} keep its fallback?` : `What does ${quoted(slot, 40)} fall back to?`,
  label: (value, { slot, gone }) => (gone ? `no fallback for ${quoted(slot, 40)}` : `falls back to ${quoted(value)}`),
  absent: ({ gone }) => (gone ? "kept" : "no such fallback"),
};

const readers: Record<string, (node: SyntaxNode, place: Place) => Found[]> = {
  binary: ofOperator,
  choose: ofChoice,
  if: ofTest,
  call: ofGetter,
};

function ofOperator(node: SyntaxNode, { spelling }: Place): Found[] {
  const [left, right] = [partOf(node, "left"), bare(partOf(node, "right"))];
  if (!or.has(spelling.source(partOf(node, "operator"))) || !right) return [];
  // `a or b` as a test chooses nothing, and neither does one of two comparisons.
  if (isTested(node) || right.role === "binary" || right.role === "unary") return [];
  return [{ slot: slotOf(left, spelling), value: spelling.of(right), shown: spelling.shown(right) }];
}

function isTested(node: SyntaxNode): boolean {
  for (let inner = node; inner.parent; inner = inner.parent) {
    if (inner.part === "condition") return true;
    const { role } = inner.parent;
    if (role === "block" || role === "argument" || role === "call" || role === "assign" || role === "declare")
      return false;
  }
  return false;
}

function ofChoice(node: SyntaxNode, place: Place): Found[] {
  const { spelling } = place;
  const [condition, yes, no] = [partOf(node, "condition"), partOf(node, "then"), partOf(node, "else")];
  const [missing, present] = [spelling.missing(condition), spelling.present(condition)];
  const told = (slot: string, value: SyntaxNode | undefined): Found[] => [
    { slot: lastWord(slot), value: spelling.of(value), shown: spelling.shown(value) },
  ];
  if (missing !== undefined && missing === spelling.shown(no)) return told(missing, yes);
  if (present !== undefined && present === spelling.shown(yes)) return told(present, no);
  return without(place, { condition, yes, no });
}

/** `if x is None: x = d` */
function ofTest(node: SyntaxNode, place: Place): Found[] {
  const { spelling } = place;
  const [condition, yes, no] = [partOf(node, "condition"), partOf(node, "then"), partOf(node, "else")];
  const missing = spelling.missing(condition);
  const found: Found[] = [];
  if (missing !== undefined && yes) {
    for (const each of walk(yes)) {
      if (each.role !== "assign" || spelling.shown(partOf(each, "target")) !== missing) continue;
      const value = partOf(each, "value");
      found.push({ slot: lastWord(missing), value: spelling.of(value), shown: spelling.shown(value) });
    }
  }
  return [...found, ...without(place, { condition, yes, no })];
}

interface Branches {
  condition: SyntaxNode | undefined;
  yes: SyntaxNode | undefined;
  no: SyntaxNode | undefined;
}

/** `f(a) if a else f()`: without it the callee's own default decides. */
function without(place: Place, { condition, yes, no }: Branches): Found[] {
  const { spelling } = place;
  const present = spelling.present(condition);
  const subject = present ?? spelling.missing(condition);
  if (subject === undefined || !yes || !no) return [];
  const [given, bareCalls] = (present === undefined ? [no, yes] : [yes, no]).map((each) =>
    callsIn(each, subject, place),
  );
  return [...(given ?? [])]
    .filter(([name, passed]) => passed && bareCalls?.get(name) === false)
    .map(([name]) => ({ slot: lastWord(subject), value: `${name}() without it` }));
}

/** The calls below a node, and whether they are given the subject. */
function callsIn(node: SyntaxNode, subject: string, { spelling, text }: Place): Map<string, boolean> {
  const calls = new Map<string, boolean>();
  for (const each of walk(node)) {
    if (each.role !== "call") continue;
    const values = partsOf(each, "argument").map((argument) => partOf(argument, "value") ?? argument);
    calls.set(
      lastName(partOf(each, "callee"), text),
      values.some((value) => spelling.shown(value) === subject),
    );
  }
  return calls;
}

function ofGetter(node: SyntaxNode, place: Place): Found[] {
  const { spelling, text } = place;
  const callee = partOf(node, "callee");
  const name = lastName(callee, text);
  const values = partsOf(node, "argument");
  if (!Object.hasOwn(getters, name) || values.length !== getters[name] || around(node, new Set(["decorator"])))
    return [];
  const last = values.at(-1);
  if (!last || last.role === "argument") return [];
  const key = values.length === 1 ? partOf(bare(callee) ?? node, "object") : values.at(-2);
  const slot = stringOf(key, text) ?? slotOf(key, spelling);
  return [{ slot: cut(slot, 60), value: spelling.of(last), shown: spelling.shown(last) }];
}

function slotOf(node: SyntaxNode | undefined, spelling: Place["spelling"]): string {
  return lastWord(spelling.shown(node));
}

/** The last name of a plain chain; an expression as it is. */
function lastWord(shown: string): string {
  return /^[\w.]+$/.test(shown) ? (shown.split(".").at(-1) ?? shown) : shown;
}
