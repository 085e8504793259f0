import type { CodeSymbol, CodeText } from "./syntax.js";

export function lexed(path: string, text: string): CodeText {
  const lines = text.split("\n");
  const symbols = new Map<string, CodeSymbol>();
  if (text.trim() !== "") {
    symbols.set("<code>", {
      name: "<code>",
      kind: "code",
      nodes: [],
      definition: null,
      line: 1,
      endLine: lines.length,
      locals: new Set(),
      normalForm: text.split(/\s+/).filter(Boolean),
      documentation: "",
      exported: false,
    });
  }
  return { path, text, language: null, symbols, broken: [], root: null };
}
