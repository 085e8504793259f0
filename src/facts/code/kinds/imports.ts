import { partOf, partsOf, type SyntaxNode } from "../syntax.js";
import { asked, type CodeKind, cut, type Place, quoted } from "./kind.js";
import { stringOf } from "./spelling.js";

const loaders = new Set(["require", "import", "require_relative", "import_module", "importlib.import_module"]);

/**
 * What a file uses of others: evidence for alignment, and where new packages are seen. A slot is the module's own name
 * and behind a blank, where known, what is taken of it: `react useState`.
 */
export const imports: CodeKind = {
  kind: "import",
  weight: 0.4,
  answer: "presence",
  scope: "symbol",
  loss: true,
  roles: ["import", "call"],
  read: (node, place) =>
    (node.role === "call" ? loaded(node, place) : imported(node, place))
      .filter((slot) => slot.trim() !== "")
      .map((slot) => ({ slot: cut(slot, 90), value: "imported" })),
  title: ({ slot }) => asked(`Is ${quoted(slot, 50)} imported`),
  label: (_value, { slot, gone }) => `${gone ? "no longer imports" : "imports"} ${quoted(slot)}`,
  absent: ({ gone }) => (gone ? "still imported" : "no"),
};

function imported(node: SyntaxNode, { spelling }: Place): string[] {
  const modules = partsOf(node, "module").map((module) => plain(spelling.source(module)));
  const names = partsOf(node, "name").map((name) => plain(spelling.source(name)));
  if (names.length === 0) return modules;
  const [module = ""] = modules;
  return names.map((name) => `${module} ${name}`.trim());
}

/** `const x = require("x")` */
function loaded(node: SyntaxNode, { spelling, text }: Place): string[] {
  if (!loaders.has(spelling.source(partOf(node, "callee")))) return [];
  return [stringOf(partsOf(node, "argument")[0], text) ?? ""];
}

/** Without quotes, without the name it has here (`a as b`, Go's `b "a"`). */
function plain(source: string): string {
  const [, inQuotes] = /["'`<]([^"'`<>]+)["'`>]\s*;?$/.exec(source) ?? [];
  const whole = (inQuotes ?? source).replace(/\s+/g, " ").trim();
  // Rust takes several at once: `a::{b, c as d}`.
  return whole.includes("{") ? whole : (whole.split(" as ")[0] ?? "");
}
