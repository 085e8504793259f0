import { partOf, type SyntaxNode } from "./syntax.js";

/** The class without its body. */
export function headOf(definition: SyntaxNode, outer: SyntaxNode): SyntaxNode {
  const without = (node: SyntaxNode): SyntaxNode => {
    // What stands behind the body (`end`) is not of the head.
    const body = node === definition ? node.children.findIndex(({ part }) => part === "body") : -1;
    const before = body < 0 ? node.children : node.children.slice(0, body);
    const children = before.map((child) => (child === definition ? without(child) : child));
    const end = children.at(-1)?.end ?? node.end;
    return { ...node, children, end, endLine: children.at(-1)?.endLine ?? node.line };
  };
  return without(outer);
}

/** The keywords and signs in it: `export`, `pub`. */
export function wordsOf(node: SyntaxNode): string[] {
  return node.children.filter(({ named }) => !named).map(({ type }) => type);
}

/** Whether it declares something, itself or as what stands around a declaration (`export`, a statement). */
export function declares(node: SyntaxNode): boolean {
  switch (node.role) {
    case "function":
    case "class":
    case "type":
    case "import":
    case "declare":
    case "assign":
      return true;
    case null:
      return node.children.some((child) => child.role === "block")
        ? holdsDefinitions(node)
        : node.children.some(declares);
    default:
      return false;
  }
}

/** Whether functions or classes stand in its blocks: under a condition, in a namespace. */
export function holdsDefinitions(node: SyntaxNode): boolean {
  if (node.role === "function" || node.role === "class") return partOf(node, "name") !== undefined;
  const passes =
    node.role === null || node.role === "block" || node.role === "if" || node.role === "try" || node.role === "catch";
  return passes && node.children.some((child) => child.named && holdsDefinitions(child));
}
