import { loadGrammars } from "../../../src/clients/grammars.js";
import { readText } from "../../../src/facts/code/read-text.js";
import { type CodeText, type Language, type SyntaxNode, walk } from "../../../src/facts/code/syntax.js";

export const languages: Language[] = [
  "python",
  "javascript",
  "typescript",
  "tsx",
  "go",
  "java",
  "rust",
  "ruby",
  "php",
  "c-sharp",
];

/** Reads texts with all grammars at hand. */
export async function reader(...names: Language[]): Promise<(path: string, text: string) => CodeText> {
  const { parse } = await loadGrammars(names.length > 0 ? names : languages);
  return (path, text) => readText(path, text, parse);
}

/** The tree as lines: part, role (or the grammar's word), and the text of what has nothing inside. */
export function outline({ root, text }: CodeText): string {
  const lines: string[] = [];
  const show = (node: SyntaxNode, depth: number) => {
    if (!node.named && node.part === null) return;
    const leaf = node.children.length === 0 ? ` ${text.slice(node.start, node.end)}` : "";
    lines.push(`${"  ".repeat(depth)}${node.part ? `${node.part}: ` : ""}${node.role ?? `(${node.type})`}${leaf}`);
    for (const child of node.children) show(child, depth + 1);
  };
  if (root) show(root, 0);
  return lines.join("\n");
}

/** The normal form of the only symbol of this name, as one line. */
export function normal(read: CodeText, name: string): string {
  return read.symbols.get(name)?.normalForm.join(" ") ?? "";
}

/**
 * The first node of each role with the texts of its parts, as `role: part=text, …`, in the order of the text. Long texts
 * are cut: what matters is which part is which.
 */
export function roles({ root, text }: CodeText): string[] {
  const told = new Map<string, string>();
  const source = (node: SyntaxNode) => text.slice(node.start, node.end).replace(/\s+/g, " ").slice(0, 24);
  for (const node of root ? walk(root) : []) {
    if (!node.role || told.has(node.role)) continue;
    const parts = node.children.filter(({ part }) => part !== null).map((child) => `${child.part}=${source(child)}`);
    told.set(node.role, parts.length > 0 ? parts.join(", ") : source(node));
  }
  return [...told].map(([role, parts]) => `${role}: ${parts}`).sort();
}
