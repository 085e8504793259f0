import { visible } from "../../../model/text.js";
import { asked, type CodeKind, cut, type Found, type Place, quoted } from "./kind.js";
import { stringOf } from "./spelling.js";

const statement =
  /^\s*(?:insert\s+into|update\s+\S+\s+(?:\w+\s+)?set|delete\s+from|with\s+(?:recursive\s+)?\w+[\s\S]{0,200}?\bas\s*\(|(?:create|alter|drop)\s+(?:(?:or\s+replace|unique|unlogged|temp|temporary|materialized)\s+)*(?:table|index|view)|merge\s+into|truncate)/i;
/** A sentence may begin with "select" too; then no list, comparison or clause follows. */
const query =
  /^\s*(?:SELECT\s|select\s(?=[\s\S]*\bfrom\b)(?=[\s\S]*(?:[*=(,;%?$]|\b(?:where|order by|limit|join|group by)\b)))/;
const mention =
  /\b(?<!\b(?:distinct|for|epoch)\s+)(from|join|into|update|table(?:\s+if(?:\s+not)?\s+exists)?)\s+(?:only\s+)?["`[]?(?:\w+["`\]]?\.["`[]?)?([a-z_]\w*)(\s*\()?/gi;
const words = new Set("select set where values if only the lateral unnest generate_series skip nowait of".split(" "));

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
  title: ({ slot, where }) => asked(`What is done with table ${quoted(slot, 30)}`, where),
  label: (value, { slot, gone }) => `${gone ? "no longer " : ""}${cut(visible(value), 20)} ${quoted(slot, 40)}`,
  absent: ({ gone }) => (gone ? "as before" : "nothing"),
};

function touched(sql: string): Found[] {
  if (!statement.test(sql) && !query.test(sql)) return [];
  const found = new Map<string, Found>();
  for (const [, verb = "", name = "", bracket] of sql.slice(0, 10_000).matchAll(mention)) {
    const table = name.toLowerCase();
    // `FROM generate_series(…)` is a function, `INTO users (…)` a table.
    if (words.has(table) || (bracket !== undefined && /^(?:from|join)$/i.test(verb))) continue;
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
