/** The values of a check that is nothing but a list of them: `x = ANY (ARRAY['a', 'b'])` or `x = 'a' OR x = 'b'`. */
export function valueList(definition: string): string[] | undefined {
  const body = definition
    .replace(/^CHECK \((.*)\)$/s, "$1")
    .replaceAll(/::[a-z]+(?: varying)?(?:\(\d+\))?(?:\[\])?/g, "");
  const values = [...body.matchAll(/'((?:[^']|'')*)'/g)].map(([, value]) => (value ?? "").replaceAll("''", "'"));
  const rest = body.replaceAll(/'(?:[^']|'')*'/g, "?").replaceAll(/[()\s]/g, "");
  const listed = /^"?[\w$]+"?=ANYARRAY\[\?(?:,\?)*\]$/.test(rest) || /^"?[\w$]+"?=\?(?:OR"?[\w$]+"?=\?)+$/.test(rest);
  return listed ? values : undefined;
}
