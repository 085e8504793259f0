import { expect, test } from "vitest";
import { NameLikeness } from "../../../src/consensus/align/names.js";
import { areOpposed } from "../../../src/consensus/align/opposites.js";

const likeness = (one: string, other: string) => new NameLikeness().of(one, other);

test.each([
  ["lastmodifiedby", "last_modified_by"],
  ["entryId", "entry_id"],
  ["Realizada_Em", "realizada_em"],
])("%s and %s are one name", (one, other) => {
  expect(likeness(one, other)).toBe(1);
});

test.each([
  ["transacoes", "transactions"],
  ["descricao", "description"],
  ["limite", "limit"],
  ["cliente_id", "client_id"],
])("%s and %s are kin, and no more than that", (one, other) => {
  expect(likeness(one, other)).toBeGreaterThanOrEqual(0.4);
  expect(likeness(one, other)).toBeLessThan(0.6);
});

test.each([
  ["category", "categorization"],
  ["transfer", "transaction"],
  ["register", "registration"],
  ["tax", "tax_rate"],
  ["first_name", "full_name"],
])("%s and %s are no kin", (one, other) => {
  expect(likeness(one, other)).toBeLessThan(0.35);
});

test.each([
  ["modified_at", "modified_by"],
  ["lastmodifiedby", "last_modified_at"],
])("who did it and when are two ends of a change: %s, %s", (one, other) => {
  expect(areOpposed(one, other)).toBe(true);
});
