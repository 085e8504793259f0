import { partOf, partsOf, type SyntaxNode, walk } from "../syntax.js";
import { missingIn, presentIn } from "./absence.js";
import type { Found, Place } from "./kind.js";
import { lastName } from "./reading.js";

/** Fallbacks that are written as branches: `d if x is None else x`, `if x is None: x = d`, `f(x) if x else f()`. */
export function branchFallbacks(node: SyntaxNode, place: Place): Found[] {
  const branches: Branches = {
    condition: partOf(node, "condition"),
    yes: partOf(node, "then"),
    no: partOf(node, "else"),
  };
  const chosen = node.role === "choose" ? ofChoice(branches, place) : ofTest(branches, place);
  return chosen.length > 0 ? chosen : without(branches, place);
}

interface Branches {
  condition: SyntaxNode | undefined;
  yes: SyntaxNode | undefined;
  no: SyntaxNode | undefined;
}

function ofChoice({ condition, yes, no }: Branches, place: Place): Found[] {
  const { spelling } = place;
  const [missing, present] = [missingIn(condition, spelling), presentIn(condition, spelling)];
  // PHP's `a ?: b`
  if (condition && !yes && no) return [instead(spelling.shown(condition), no, place)];
  if (missing !== undefined && missing === spelling.shown(no)) return [instead(missing, yes, place)];
  if (present !== undefined && present === spelling.shown(yes)) return [instead(present, no, place)];
  return [];
}

function ofTest({ condition, yes }: Branches, place: Place): Found[] {
  const { spelling, text } = place;
  const missing = missingIn(condition, spelling);
  if (missing === undefined || !yes) return [];
  const found: Found[] = [];
  for (const each of walk(yes)) {
    if (each.role !== "assign" || spelling.shown(partOf(each, "target")) !== missing) continue;
    // `x += 1` falls back to nothing.
    const operator = partOf(each, "operator");
    const value = partOf(each, "value");
    if (value && (!operator || text.text.slice(operator.start, operator.end) === "=")) {
      found.push(instead(missing, value, place));
    }
  }
  return found;
}

/** `f(a) if a else f()`: without it the callee's own default decides. */
function without({ condition, yes, no }: Branches, place: Place): Found[] {
  const { spelling } = place;
  const present = presentIn(condition, spelling);
  const subject = present ?? missingIn(condition, spelling);
  if (subject === undefined || !yes || !no) return [];
  const [given, not] = present === undefined ? [no, yes] : [yes, no];
  const others = callsIn(not, subject, place);
  return [...callsIn(given, subject, place)]
    .filter(([name, passed]) => passed && others.get(name) === false)
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

/** What something falls back to, the same for all chains that end in its name. */
export function instead(slot: string, value: SyntaxNode | undefined, { spelling }: Place): Found {
  // `unwrap_or_else(|| d)`: what the function gives.
  const given = value?.role === "function" ? (partOf(value, "body") ?? value) : value;
  return { slot: lastWord(slot), value: spelling.of(given), shown: spelling.shown(given) };
}

/** The last name of a plain chain; an expression as it is. */
function lastWord(shown: string): string {
  // `os.getenv("HOME")` asks for `HOME`.
  const [, key] = /^[\w.]+\("([^"]+)"\)$/.exec(shown) ?? [];
  if (key !== undefined) return key;
  return /^[\w.$]+$/.test(shown) ? (shown.split(".").at(-1) ?? shown) : shown.replace(/^:(?=\w)/, "");
}
