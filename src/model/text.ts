/** Order by code unit: the same in every locale and on every machine, unlike `localeCompare`. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Order by code unit, but numbers in it by their value: `run-2` before `run-10`. */
export function compareNatural(a: string, b: string): number {
  const [ones, others] = [a, b].map((text) => text.match(/\d+|\D+/g) ?? []);
  for (const [at, one] of (ones ?? []).entries()) {
    const other = others?.[at] ?? "";
    const numbers = /^\d/.test(one) && /^\d/.test(other) ? Number(one) - Number(other) : 0;
    const order = numbers || compareText(one, other);
    if (order !== 0) return order;
  }
  return compareText(a, b);
}

/**
 * Characters that change what a reader sees of the text around them: controls, zero-width and bidirectional marks
 * (CVE-2021-42574), fillers, line and paragraph separators, private use, halves of surrogate pairs. The variation
 * selector of emoji is left.
 */
export const deceiving = /(?!\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** One line of text in which nothing is hidden: what deceives is replaced by U+FFFD, white space by one blank. */
export function visible(text: string): string {
  return text.replace(/\s+/g, " ").replace(deceiving, "\ufffd");
}

/** One line for a log that a machine may read, too: nothing hidden, and nothing that a GitHub runner takes for a command. */
export function plainLine(text: string): string {
  return withoutCommands(visible(text));
}

/** Text in which a GitHub runner finds no command: it looks for `::` at the start of a line and for `##[` anywhere in it. */
export function withoutCommands(text: string): string {
  return text.replaceAll("##[", "# #[").replace(/^([^\S\r\n]*):(?=:)/gm, "$1: ");
}

/** The beginning of a text, on one line. */
export function shorten(text: string, limit: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}

/** The most frequent of some values; ties go to the smaller text. Undefined for none. */
export function mostCommon(values: readonly string[]): string | undefined {
  // Nearly always all are equal, and there may be hundreds of thousands of them.
  if (values.every((value) => value === values[0])) return values[0];
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || compareText(a[0], b[0]))[0]?.[0];
}
