import { expect, test } from "vitest";
import { type Profile, type Surroundings, tableLikeness } from "../../src/consensus/align/evidence.js";

/** Lower-case slots are tables of base, those with a capital are new. */
const around: Surroundings = {
  isNew: (slot) => /^[A-Z]/.test(slot),
  mayBeOne: () => true,
  weightOf: (slot) => (slot === "users" ? 1 / Math.sqrt(1 + 8) : 1 / Math.sqrt(1 + 1)),
  rarityOf: () => 1,
  isTelling: () => true,
  mayStandFor: () => false,
};
const table = (name: string, targets: string[], referrers: string[] = []): Profile => ({
  name,
  spelling: name,
  tokens: [name],
  own: [name],
  targets: new Set(targets),
  referrers: new Set(referrers),
});
const alike = { score: 1, types: 1, named: 2, telling: true, firm: true, contained: false };
const measure = (one: Profile, other: Profile, more: { name?: number; payload?: typeof alike } = {}) =>
  tableLikeness(one, other, { name: more.name ?? 0, payload: more.payload, around });

test("what everything refers to says less than what few refer to", () => {
  const hub = measure(table("a", ["users", "assets"]), table("b", ["users", "Plans"]), { name: 1 });
  const rare = measure(table("a", ["users", "assets"]), table("b", ["assets", "Plans"]), { name: 1 });
  expect(hub).toBeLessThan(rare);
});

test("what one of the two lacks is no evidence against them", () => {
  const [one, other] = [table("a", ["users"]), table("b", ["users"])];
  const without = measure(one, other, { name: 0.5, payload: alike });
  expect(measure(table("a", ["users"], ["assets"]), other, { name: 0.5, payload: alike })).toBe(without);
  expect(without).toBeCloseTo((0.3 + 0.3 + 0.15) / 0.9);
});

test("new tables that may still become one count half", () => {
  const open = measure(table("a", ["Teams"]), table("b", ["Crews"]), { name: 1 });
  expect(open).toBeCloseTo((0.3 * 0.5 + 0.3) / 0.6);
  const apart = { ...around, mayBeOne: () => false };
  const payload = undefined;
  expect(tableLikeness(table("a", ["Teams"]), table("b", ["Crews"]), { name: 1, payload, around: apart })).toBeCloseTo(
    0.5,
  );
});

test("tables that refer to base and to nothing in common there are hardly one", () => {
  const one = table("a", ["users"]);
  expect(measure(one, table("b", ["assets"]), { name: 1, payload: alike })).toBe(0.3);
  expect(measure(one, table("b", ["users", "assets"]), { name: 1, payload: alike })).toBeGreaterThan(0.6);
});

test("payloads with nothing in common keep unlike names apart, and not like ones", () => {
  const [one, other] = [table("a", ["users", "assets"]), table("b", ["users", "assets"])];
  const strange = { score: 0, types: 0, named: 0, telling: false, firm: true, contained: false };
  expect(measure(one, other, { name: 0.5, payload: strange })).toBeLessThanOrEqual(0.3);
  expect(measure(one, other, { name: 0.8, payload: strange })).toBeGreaterThan(0.5);
});

test("tables of one name in two schemas are one", () => {
  const far = { score: 0, types: 0, named: 0, telling: false, firm: true, contained: false };
  expect(measure(table("a", ["users"]), table("a", ["assets"]), { name: 1, payload: far })).toBe(0.75);
});
