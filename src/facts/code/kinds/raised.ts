import { partOf, partsOf, type SyntaxNode, walk } from "../syntax.js";
import type { Place } from "./kind.js";
import { around, bare, lastName } from "./reading.js";

/** Nodes by which an error may leave a function, in languages that raise and in those that return errors. */
export const raisingRoles = ["raise", "return", "call"] as const;

/** An error without a name of its own. */
const unnamed = "error";
const goBuilders = new Set(["errors.New", "fmt.Errorf", "errors.Wrap", "errors.Wrapf", "errors.Errorf"]);
const rustMacros = /^(?:(?:anyhow|eyre)::)?(?:bail|ensure)!?$/;
const rustPanics = /^(?:panic|unreachable|todo|unimplemented)!?$/;
const rustBuilders = /^(?:anyhow::)?(?:anyhow|eyre|format)!?$/;
const ifRole = new Set(["if"]);

/**
 * The name of the error that leaves the function here: the class of what is raised, the named error that Go returns, what
 * stands in Rust's `Err(…)`; `error` for one that is only a message. Undefined where no error of its own leaves.
 */
export function raisedBy(node: SyntaxNode, place: Place): string | undefined {
  const { text, spelling } = place;
  if (node.role === "raise") return ofRaise(node, place);
  if (text.language === "go") return node.role === "return" ? goError(node, place) : undefined;
  if (node.role !== "call") return undefined;
  const callee = spelling.source(partOf(node, "callee"));
  if (text.language === "rust") return rustError(node, callee, place);
  // `ArgumentNullException.ThrowIfNull(name)`
  if (text.language === "c-sharp") return /^(\w+Exception)\.ThrowIf\w+$/.exec(callee)?.[1];
  if (/^(?:Promise\.reject|reject)$/.test(callee)) return rejection(node, place);
  return undefined;
}

function ofRaise(node: SyntaxNode, { text, spelling }: Place): string {
  if (text.language === "go" || text.language === "rust") return "panic";
  const value = dressed(bare(partOf(node, "value")), spelling);
  if (!value) return "re-raise";
  // What was caught is handed on.
  const written = spelling.source(value);
  if (value.role === "name" && (spelling.isLocal(written) || /^_?[a-z]\w*$/.test(written))) return "re-raise";
  if (value.role === "string") return unnamed;
  // Ruby's `raise NotFound.new("…")`
  const callee = value.role === "call" ? bare(partOf(value, "callee")) : undefined;
  const built = callee?.role === "member" && spelling.source(partOf(callee, "name")) === "new";
  return lastName(built ? partOf(callee, "object") : value, text) || spelling.of(value, 60);
}

/** The error in `throw Object.assign(new NotFound(id), { status: 404 })`. */
function dressed(value: SyntaxNode | undefined, spelling: Place["spelling"]): SyntaxNode | undefined {
  const isAssign = value?.role === "call" && spelling.source(partOf(value, "callee")) === "Object.assign";
  return isAssign ? (bare(partOf(value, "argument")) ?? value) : value;
}

/** Of `return nil, fmt.Errorf("…: %w", ErrMissing)`: `ErrMissing`. Handing on what another call returned is no error. */
function goError(node: SyntaxNode, { spelling }: Place): string | undefined {
  let builds = false;
  for (const each of walk(node)) {
    if (each.role === "function") return undefined;
    const written = each.role === "name" ? spelling.source(each) : "";
    if (/^Err[A-Z]|^[A-Z]\w*Error$/.test(written) && each.parent?.part !== "callee") return written;
    if (each.role === "call" && goBuilders.has(spelling.source(partOf(each, "callee")))) builds = true;
  }
  if (!builds) return undefined;
  const guard = around(node, ifRole);
  const tested = guard && spelling.source(partOf(guard, "condition")).replace(/\s+/g, " ");
  return tested !== undefined && /^\w*[eE]rr\w* != nil$/.test(tested) ? undefined : unnamed;
}

function rustError(node: SyntaxNode, callee: string, { spelling }: Place): string | undefined {
  if (node.type === "macro_invocation") {
    if (rustPanics.test(callee)) return "panic";
    return rustMacros.test(callee) ? unnamed : undefined;
  }
  const [argument] = callee === "Err" ? partsOf(node, "argument") : [];
  if (!argument) return undefined;
  const path = spelling.source(firstPath(argument)).replace(/\s+/g, "");
  // `Err(e)` hands on, `Err("…".into())` and `Err(anyhow!("…"))` only say something.
  if (spelling.isLocal(path) || /^(?:e|err|error)$/.test(path)) return undefined;
  return /^\w+(?:::\w+)*$/.test(path) && !rustBuilders.test(path) && /^[A-Z]|::/.test(path) ? lastTwo(path) : unnamed;
}

function lastTwo(path: string): string {
  return path
    .replace(/::(?:new|from|default)$/, "")
    .split("::")
    .slice(-2)
    .join("::");
}

/** `AppError::NotFound` of `AppError::NotFound(id).into()`. */
function firstPath(node: SyntaxNode): SyntaxNode {
  let inner = bare(node) ?? node;
  for (;;) {
    const callee = inner.role === "call" ? partOf(inner, "callee") : undefined;
    if (!callee) return inner;
    const object = callee.role === "member" ? partOf(callee, "object") : undefined;
    inner = object && (object.role === "call" || object.role === "string") ? object : callee;
    if (inner === callee) return inner;
  }
}

function rejection(node: SyntaxNode, { text }: Place): string | undefined {
  const [value] = partsOf(node, "argument");
  return value?.role === "call" ? lastName(value, text) || undefined : undefined;
}
