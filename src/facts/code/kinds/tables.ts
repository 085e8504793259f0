import { type CodeKind, type Found, type Place, quoted } from "./kind.js";
import { stringOf } from "./spelling.js";

const statement = /^\s*(?:select|insert|update|delete|with|create|alter|drop|merge|truncate)\b/i;
const mention =
  /\b(from|join|into|update|table(?:\s+if(?:\s+not)?\s+exists)?)\s+(?:only\s+)?["`[]?(?:\w+["`\]]?\.["`[]?)?([a-z_]\w*)/gi;
const words = new Set([
  "select",
  "set",
  "where",
  "values",
  "if",
  "only",
  "the",
  "lateral",
  "unnest",
  "generate_series",
]);

/** Tables that SQL in the code reads or writes. */
export const tables: CodeKind = {
  kind: "table",
  weight: 2,
  answer: "value",
  scope: "symbol",
  loss: true,
  roles: ["string"],
  read(node, { text, spelling }) {
    return touched(stringOf(node, text) ?? spelling.source(node).slice(1, -1));
  },
  readTokens({ symbol, text }: Place) {
    return text.path.endsWith(".sql") ? touched(symbol.normalForm.join(" ")) : [];
  },
  title: ({ slot, where }) => `What is done with table ${quoted(slot, 30)}${where}?`,
  label: (value, { slot, gone }) => `${gone ? "no longer " : ""}${value} ${quoted(slot, 40)}`,
  absent: ({ gone }) => (gone ? "as before" : "nothing"),
};

function touched(sql: string): Found[] {
  if (!statement.test(sql)) return [];
  const found = new Map<string, Found>();
  for (const [, verb = "", name = ""] of sql.slice(0, 10_000).matchAll(mention)) {
    const table = name.toLowerCase();
    if (words.has(table)) continue;
    const value = deedOf(verb.toLowerCase(), sql);
    found.set(`${table} ${value}`, { slot: table, value });
  }
  return [...found.values()];
}

function deedOf(verb: string, sql: string): string {
  if (verb === "into" || verb === "update") return "writes";
  if (verb.startsWith("table")) return "defines";
  return /^\s*delete\b/i.test(sql) && verb === "from" ? "writes" : "reads";
}
