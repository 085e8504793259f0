const now =
  /^(?:now\(\)|(?:current_timestamp|localtimestamp)(?:\(\d\))?|transaction_timestamp\(\)|\('now'::text\)::timestamp.*)$/i;

/** A default as one of its equal spellings: forms of now(), casts of literals. Null for none. */
export function defaultSpelling(text: string | null): string | null {
  if (text === null || /^null(?:::.*)?$/i.test(text)) return null;
  if (now.test(text)) return "now()";
  return text
    .replace(
      /^('(?:[^']|'')*')::(?:(?:"(?:[^"]|"")+"|[\w$]+)\.)?(?:"(?:[^"]|"")+"|[\w$ ]+)(?:\(\d+\))?(?:\[\])?$/,
      "$1",
    )
    .replace(/^\((-?\d+(?:\.\d+)?)\)::\w+$/, "$1");
}

/** `restrict` and `no action` differ in when they are checked, and refuse alike. */
export function deleteSpelling(action: string): string {
  return action === "restrict" ? "no action" : action;
}

/** A check without outer parentheses, needless blanks, casts of literals, and zeros behind the point of a number; what must differ in order. */
export function checkSpelling(definition: string): string {
  const text = unwrapped(definition.replace(/^CHECK\s*/i, "").replace(/\s+NOT VALID$/i, ""));
  return text
    .replaceAll(/::(?:text|character varying|numeric|integer|bigint|smallint|double precision|real)\b/g, "")
    .replaceAll(/(^|[\s(<>=])\((-?\d+(?:\.\d+)?)\)/g, "$1$2")
    .replaceAll(/('(?:[^']|'')*')|\b(\d+)\.0+\b/g, (_, quoted, number) => quoted ?? number)
    .replace(/^([\w$"]+) (<>|=) ([\w$"]+)$/, (_, one, sign, other) => [one, other].sort().join(` ${sign} `));
}

/** An expression on one line, without its outer parentheses. */
export function unwrapped(expression: string): string {
  let text = oneLine(expression);
  while (/^\(.*\)$/.test(text) && isWrapped(text)) text = text.slice(1, -1);
  return text;
}

/** A definition without what only lays it out. */
export function oneLine(definition: string): string {
  return definition.replaceAll(/\s+/g, " ").trim().replace(/;$/, "");
}

/** True where the first parenthesis closes at the very end; text in quotes does not count. */
function isWrapped(text: string): boolean {
  let depth = 0;
  let quoted = false;
  const characters = [...text];
  for (const [index, character] of characters.entries()) {
    if (character === "'") quoted = !quoted;
    if (quoted) continue;
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (depth === 0 && index < characters.length - 1) return false;
  }
  return true;
}

/** Whether a rule can wait; by the server's default it is checked with every statement. */
export function waitingOf(rule: { deferrable: boolean; initiallyDeferred: boolean }): { value: string; label: string } {
  if (!rule.deferrable) return { value: "at once", label: "no" };
  if (rule.initiallyDeferred) return { value: "deferred", label: "yes, at the end of the transaction" };
  return { value: "deferrable", label: "where a transaction asks for that" };
}
