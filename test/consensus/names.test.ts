import { expect, test } from "vitest";
import { NameLikeness, tokensOf } from "../../src/consensus/align/names.js";

const likeness = (one: string, other: string) => new NameLikeness().of(one, other);

test.each([
  ["team_members", ["member", "team"]],
  ["TeamMembership", ["member", "team"]],
  ["workspace_memberships", ["member", "team"]],
  ["categories", ["type"]],
  ["created_by", ["owner"]],
  ["creator_id", ["owner"]],
  ["address", ["address"]],
  ["id", []],
  ["größen", ["größen"]],
])("the words of %s are %j", (name, tokens) => {
  expect(tokensOf(name)).toEqual(tokens);
});

test.each([
  ["qty", "quantity"],
  ["calib_runs", "calibration_runs"],
  ["ref_num", "reference_number"],
  ["desc", "description_text"],
  ["invited_by", "inviter_id"],
  ["org_id", "organization_id"],
])("%s is %s", (one, other) => {
  expect(likeness(one, other)).toBeGreaterThanOrEqual(0.5);
  expect(likeness(other, one)).toBe(likeness(one, other));
});

test.each([
  ["role", "theme"],
  ["name", "motto"],
  ["at", "attribute"],
  ["status", "state_tax"],
  ["price", "place"],
  ["address_line_1", "address_line_2"],
  ["line1", "line2"],
  ["extra_b", "extra_c"],
])("%s is not %s", (one, other) => {
  expect(likeness(one, other)).toBeLessThan(0.3);
});

test("an abbreviation that could be two words of a name is neither", () => {
  expect(likeness("con", "contact_contract")).toBeLessThan(0.5);
});
