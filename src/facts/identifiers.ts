const token = /'(?:[^']|'')*'|"(?:[^"]|"")+"|(?:::)?[\p{L}_][\p{L}\p{N}_$]*/gu;
const plain = /^[a-z_][a-z0-9_]*$/;

/**
 * Puts other names into a piece of SQL as the server writes it. Texts in quotes and the types of casts are left alone:
 * `text` is a type far more often than a column.
 */
export function replaceIdentifiers(sql: string, nameOf: (name: string) => string | undefined): string {
  return sql.replaceAll(token, (found) => {
    if (found.startsWith("'") || found.startsWith("::")) return found;
    const name = found.startsWith('"') ? found.slice(1, -1).replaceAll('""', '"') : found;
    const other = nameOf(name);
    if (other === undefined) return found;
    return plain.test(other) ? other : `"${other.replaceAll('"', '""')}"`;
  });
}
