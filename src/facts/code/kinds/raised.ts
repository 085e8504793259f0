import { partOf, partsOf, type SyntaxNode, walk } from "../syntax.js";
import type { Place } from "./kind.js";
import { bare, lastName } from "./spelling.js";

/** Nodes by which an error may leave a function, in languages that raise and in those that return errors. */
export const raisingRoles = ["raise", "return", "call"] as const;

const builders = new Set(["errors.New", "fmt.Errorf", "errors.Wrap", "errors.Wrapf", "errors.Errorf"]);

/**
 * The name of the error that leaves the function here: the class of what is raised, the named error or builder that Go
 * returns, what stands in Rust's `Err(…)`. Undefined where no error leaves.
 */
export function raisedBy(node: SyntaxNode, { text, spelling }: Place): string | undefined {
  if (node.role === "raise") {
    const value = bare(partOf(node, "value"));
    if (!value) return "re-raise";
    return lastName(value, text) || spelling.of(value);
  }
  if (text.language === "go" && node.role === "return") return goError(node, spelling.source.bind(spelling));
  if (text.language === "rust" && node.role === "call" && spelling.source(partOf(node, "callee")) === "Err") {
    const [argument] = partsOf(node, "argument");
    return argument && (spelling.source(firstPath(argument)) || undefined);
  }
  return undefined;
}

function goError(node: SyntaxNode, source: (node: SyntaxNode | undefined) => string): string | undefined {
  for (const each of walk(node)) {
    if (each.role === "call" && builders.has(source(partOf(each, "callee")))) return source(partOf(each, "callee"));
    if (each.role === "name" && /^Err[A-Z]/.test(source(each))) return source(each);
  }
  return undefined;
}

/** `AppError::NotFound` of `AppError::NotFound(id).into()`. */
function firstPath(node: SyntaxNode): SyntaxNode {
  let inner = bare(node) ?? node;
  for (let deeper = inner.role === "call" ? partOf(inner, "callee") : undefined; deeper; ) {
    inner = deeper;
    deeper = inner.role === "call" ? partOf(inner, "callee") : undefined;
  }
  return inner;
}
