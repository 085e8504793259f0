const kinds = "table|column|schema|type|view|materialized view|function|procedure|sequence|domain|database|extension";
const name = String.raw`(?:if\s+exists\s+)?((?:"[^"]+"|[\w$]+)(?:\.(?:"[^"]+"|[\w$]+))*)`;
const statement = new RegExp(String.raw`\bdrop\s+(${kinds})\s+${name}|\btruncate\s+(?:table\s+)?${name}`, "gi");

/**
 * What a migration takes away, by its text: "table users". Comments and strings are left out; what a program puts together
 * is not seen.
 */
export function drops(sql: string): string[] {
  const found = [...plain(sql).matchAll(statement)].map(([, kind, dropped, emptied]) =>
    emptied === undefined ? `${kind?.toLowerCase().replace(/\s+/g, " ")} ${dropped}` : `rows of ${emptied}`,
  );
  return [...new Set(found)];
}

function plain(sql: string): string {
  return sql.replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)/g, " ");
}
