/** What two names reach that hold only words of common descent: enough to go on where types agree, never enough alone. */
export const kin = 0.45;

/** Two words need as many letters in common, or to be the same but for an ending of one or two. */
const longStem = 6;
const shortStem = 5;
const ending = 2;

/**
 * True for words that begin alike for six letters and more than half of the longer one: `descricao`, `description`;
 * `transacoes`, `transactions`. Languages that took their words from Latin share their beginnings.
 */
export function areKin(one: string, other: string): boolean {
  let common = 0;
  while (common < one.length && one[common] === other[common]) common++;
  if (common >= shortStem && common === Math.min(one.length, other.length)) return isDerived(one, other);
  return common >= longStem && 2 * common > Math.max(one.length, other.length);
}

/** What names reach of which each word is one of the other's but for an ending: `withdraw`, `withdrawals`. Not enough alone. */
export const derived = 0.55;

/** True where one word is the other with an ending of one or two letters. */
export function isDerived(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= shortStem && long.startsWith(short) && long.length - short.length <= ending;
}

/** True where every word of either name is one of the other's, or its kin. */
export function areKinNames(ones: readonly string[], others: readonly string[]): boolean {
  if (ones.length === 0 || ones.length !== others.length) return false;
  const left = [...others];
  return ones.every((word) => {
    const at = left.findIndex((other) => other === word || areKin(word, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** Words that turn what stands before them into another quantity. */
const measures = new Set(["count", "percent", "percentage", "rate", "ratio", "share"]);

/** True where one name goes on where the other ends and becomes another quantity: `tax`, `tax_rate`. */
export function areOtherQuantities(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const goesOn = short.length > 0 && short.length + 1 === long.length && short.every((word, at) => word === long[at]);
  return goesOn && measures.has(long.at(-1) ?? "");
}
