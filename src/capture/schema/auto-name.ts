const longestName = 63;

/**
 * Whether a name is the one the server makes up from table and columns: `orders_user_id_fkey`, with a number where that
 * was taken. Rules: makeObjectName() and ChooseIndexName() in Postgres' indexcmds.c.
 * @param columns those that take part in the name; none for a primary key
 */
export function isAutoName(name: string, table: string, columns: readonly string[], label: string): boolean {
  const number = new RegExp(`_${label}(\\d*)$`).exec(name)?.[1];
  return number !== undefined && name === madeUp(table, columns.join("_"), `${label}${number}`);
}

/** Cuts the longer of both parts until all of it fits. */
function madeUp(first: string, second: string, label: string): string {
  const room = longestName - Buffer.byteLength(label) - (second ? 2 : 1);
  let [a, b] = [Buffer.byteLength(first), Buffer.byteLength(second)];
  while (a + b > room) {
    if (a > b) a -= 1;
    else b -= 1;
  }
  return [cut(first, a), ...(second ? [cut(second, b)] : []), label].join("_");
}

/** At most so many bytes, never half a character. */
function cut(text: string, bytes: number): string {
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    kept += character;
  }
  return kept;
}
