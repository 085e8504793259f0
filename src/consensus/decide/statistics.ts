/** 97.5 % quantile of the normal distribution. */
const z = 1.959963984540054;

/**
 * Wilson score interval of a proportion, 95 %: both bounds between 0 and 1, rounded to four digits.
 * E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927) 209-212;
 * recommended for small n by Brown, Cai and DasGupta, "Interval Estimation for a Binomial Proportion",
 * Statistical Science 16 (2001) 101-133, eq. (4).
 */
export function wilson(hits: number, n: number): [number, number] {
  if (n === 0) return [0, 1];
  const share = hits / n;
  const scale = 1 + (z * z) / n;
  const centre = (share + (z * z) / (2 * n)) / scale;
  const margin = (z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))) / scale;
  const low = hits === 0 ? 0 : Math.max(0, centre - margin);
  const high = hits === n ? 1 : Math.min(1, centre + margin);
  return [round(low), round(high)];
}

/**
 * Disagreement: the chance that two different runs, drawn at random, chose differently. D = 1 − Σ nᵢ(nᵢ−1) / (n(n−1)),
 * the unbiased estimate of Gini-Simpson diversity (E. H. Simpson, "Measurement of Diversity", Nature 163 (1949) 688).
 * 0 for fewer than two runs.
 */
export function disagreement(sizes: readonly number[]): number {
  const n = sizes.reduce((sum, size) => sum + size, 0);
  if (n < 2) return 0;
  const samePairs = sizes.reduce((sum, size) => sum + size * (size - 1), 0);
  return 1 - samePairs / (n * (n - 1));
}

/** A chance this small of dividing the runs just so is none. */
const coincidence = 0.03;

/** True where n runs may well fall by chance into just these two groups, of which one has k. */
export function isByChance(n: number, k: number): boolean {
  return 1 / waysToDivide(n, k) >= coincidence;
}

/** In how many ways n runs fall into two groups of which one has k: n choose k, half of it where both are equal. */
function waysToDivide(n: number, k: number): number {
  let ways = 1;
  for (let each = 1; each <= Math.min(k, n - k); each++) ways = (ways * (n - each + 1)) / each;
  return 2 * k === n ? ways / 2 : ways;
}

/** Four digits: what is printed and stored, so that equal inputs give equal bytes. */
export function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
