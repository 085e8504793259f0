import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { bare, nothing, operatorOf } from "./reading.js";
import type { Spelling } from "./spelling.js";

const askedMissing = /^(?:nil\?|blank\?|empty\?|is_none|is_empty|isEmpty|isBlank)$/;
const counting = /^(?:len|count|isset)$/;
const emptyText = /^(?:""|''|"undefined"|'undefined')$/;

/** What a test asks to be missing (`x is None`, `!x`, `x == ""`), as shown; undefined for other tests. */
export function missingIn(condition: SyntaxNode | undefined, spelling: Spelling): string | undefined {
  const node = bare(condition);
  const denied = deniedIn(node, spelling);
  if (denied) return subject(denied, spelling) ?? counted(denied, spelling);
  return asked(node, spelling) ?? againstNothing(node, "==", spelling);
}

/** What a test asks to be there (`x`, `x != null`), as shown; undefined for other tests. */
export function presentIn(condition: SyntaxNode | undefined, spelling: Spelling): string | undefined {
  const node = bare(condition);
  const denied = deniedIn(node, spelling);
  if (denied) return asked(denied, spelling);
  return subject(node, spelling) ?? counted(node, spelling) ?? againstNothing(node, "!=", spelling);
}

function deniedIn(node: SyntaxNode | undefined, { text }: Spelling): SyntaxNode | undefined {
  return node?.role === "unary" && operatorOf(node, text) === "not" ? partOf(node, "value") : undefined;
}

function againstNothing(node: SyntaxNode | undefined, operator: string, spelling: Spelling): string | undefined {
  if (node?.role !== "binary" || operatorOf(node, spelling.text) !== operator) return undefined;
  const sides = [bare(partOf(node, "left")), bare(partOf(node, "right"))];
  const empty = sides.find((side) => side && isNothing(side, spelling));
  const other = empty && sides.find((side) => side !== empty);
  // `typeof x === "undefined"`
  if (other?.role === "unary") return subject(partOf(other, "value"), spelling);
  return counted(other, spelling) ?? (other && spelling.shown(other));
}

function isNothing(node: SyntaxNode, spelling: Spelling): boolean {
  const written = spelling.source(node);
  // What Go has not been given is zero.
  return nothing.has(written) || emptyText.test(written) || (spelling.text.language === "go" && written === "0");
}

/** The collection a test finds empty: `len(x)`. */
function counted(node: SyntaxNode | undefined, spelling: Spelling): string | undefined {
  const call = bare(node);
  if (call?.role !== "call" || !counting.test(spelling.source(partOf(call, "callee")))) return undefined;
  const values = partsOf(call, "argument");
  return values.length === 1 ? subject(values[0], spelling) : undefined;
}

/** `x` of `x.nil?` and `empty($x)` */
function asked(node: SyntaxNode | undefined, spelling: Spelling): string | undefined {
  const call = bare(node);
  const callee = call?.role === "call" ? bare(partOf(call, "callee")) : undefined;
  if (!call || !callee) return undefined;
  const values = partsOf(call, "argument");
  if (callee.role !== "member") {
    return spelling.source(callee) === "empty" ? subject(values[0], spelling) : undefined;
  }
  const asks = askedMissing.test(spelling.source(partOf(callee, "name"))) && values.length === 0;
  return asks ? subject(partOf(callee, "object"), spelling) : undefined;
}

function subject(node: SyntaxNode | undefined, spelling: Spelling): string | undefined {
  const inner = bare(node);
  return inner?.role === "name" || inner?.role === "member" ? spelling.shown(inner) : undefined;
}
