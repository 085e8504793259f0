import { expect, test } from "vitest";
import { type Anchor, agglomerate } from "../../src/consensus/align/agglomerate.js";
import { randomOf, shuffled } from "../support/random.js";

const anchor = (key: string, ...holders: string[]): Anchor => ({
  key,
  runs: holders.length,
  holders: new Set(holders),
});

/** Pairs and how alike they are; what is not told is not alike. */
const likenessOf = (pairs: Record<string, number>) => (one: Anchor, other: Anchor) =>
  pairs[[one.key, other.key].sort().join("")] ?? 0;
const joined = (anchors: Anchor[], pairs: Record<string, number>, bonus?: { runs: number; add: number }) =>
  agglomerate(anchors, { threshold: 0.5, likeness: likenessOf(pairs), ...(bonus && { bonus }) }).map(
    ({ one, other, score }) => `${one.key}${other.key} ${score}`,
  );

const [a, b, c, d] = [anchor("a", "r1"), anchor("b", "r2"), anchor("c", "r3"), anchor("d", "r4")];

test("the most alike come first, and a third must be alike to both on average", () => {
  expect(joined([a, b, c], { ab: 0.9, bc: 0.7, ac: 0.4 })).toEqual(["ab 0.9", "ac 0.55"]);
  expect(joined([a, b, c], { ab: 0.9, bc: 0.7, ac: 0.2 })).toEqual(["ab 0.9"]);
});

test("what one run holds twice never comes together, not even by way of a third", () => {
  const twin = anchor("c", "r1");
  expect(joined([a, b, twin], { ab: 0.8, bc: 0.9, ac: 1 })).toEqual(["bc 0.9"]);
});

test("a cluster weighs as many as its anchors, not its runs", () => {
  const many = anchor("a", "r1", "r5", "r6", "r7", "r8");
  const pairs = { ab: 0.9, bc: 0.8, ac: 0.1, ad: 0, bd: 0, cd: 0 };
  expect(joined([many, b, c, d], pairs)).toEqual(joined([a, b, c, d], pairs));
});

test("names that nine tenths of the runs share out between them get a bonus", () => {
  const pairs = { ab: 0.4 };
  expect(joined([a, b], pairs, { runs: 2, add: 0.12 })).toEqual(["ab 0.52"]);
  expect(joined([a, b], pairs, { runs: 3, add: 0.12 })).toEqual([]);
});

test("ties go to the first by content, in whatever order they come", () => {
  const twin = anchor("c", "r1");
  const pairs = { ab: 0.7, bc: 0.7, ad: 0.7, cd: 0.7 };
  for (let seed = 0; seed < 12; seed++) {
    const mixed = shuffled([a, b, twin], randomOf(seed));
    expect(joined(mixed, pairs)).toEqual(["ab 0.7"]);
  }
});

test("the cached best partners give what looking at all pairs would", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = randomOf(seed);
    const anchors = Array.from({ length: 14 }, (_, at) =>
      anchor(String.fromCharCode(97 + at), `r${Math.floor(random() * 8)}`, `s${at}`),
    );
    const known = new Map<string, number>();
    const likeness = (one: Anchor, other: Anchor) => {
      const pair = [one.key, other.key].sort().join("");
      const score = known.get(pair) ?? Math.round(random() * 20) / 20;
      known.set(pair, score);
      return score;
    };
    const fast = agglomerate(anchors, { threshold: 0.5, likeness });
    expect(fast.map(({ score }) => score.toFixed(4))).toEqual(plainly(anchors, likeness));
  }
});

/** The scores of the merges in order, every pair of clusters measured anew each time. */
function plainly(anchors: readonly Anchor[], likeness: (one: Anchor, other: Anchor) => number): string[] {
  let clusters = anchors.map((each) => [each]);
  const scores: number[] = [];
  for (;;) {
    const pairs = clusters.flatMap((one, at) =>
      clusters.slice(at + 1).flatMap((other) => {
        const held = new Set(one.flatMap(({ holders }) => [...holders]));
        if (other.some(({ holders }) => [...holders].some((each) => held.has(each)))) return [];
        const sum = one.flatMap((x) => other.map((y) => likeness(x, y))).reduce((total, score) => total + score, 0);
        return [{ one, other, score: sum / (one.length * other.length) }];
      }),
    );
    const [best] = pairs.sort((x, y) => (Math.abs(y.score - x.score) < 1e-5 ? 0 : y.score - x.score));
    if (best === undefined || best.score < 0.5 - 1e-6) return scores.map((score) => score.toFixed(4));
    scores.push(best.score);
    clusters = clusters
      .filter((each) => each !== best.other)
      .map((each) => (each === best.one ? [...each, ...best.other] : each));
  }
}
