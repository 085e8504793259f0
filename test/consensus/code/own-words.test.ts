import { expect, test } from "vitest";
import { translatorOf } from "../../../src/consensus/code/own-words.js";
import { comparer, toldBy } from "../../support/code.js";

const words = new Map([
  ["teams", "groups"],
  ["team_members", "group_members"],
  ["team_id", "group_id"],
]);

test.each([
  ["createGroup", "createTeam"],
  ["group_id", "team_id"],
  ["GROUP_ID", "TEAM_ID"],
  ["src/groups.js", "src/teams.js"],
  ["listGroupMembers(groupId)", "listTeamMembers(teamId)"],
  ["regroup", "regroup"],
])("%s is read as %s where the run's tables say group for team", (own, said) => {
  expect(translatorOf(words)?.(own)).toBe(said);
});

test("a word that stands for two things, or for itself elsewhere, is left alone", () => {
  const unsure = new Map([
    ["teams", "groups"],
    ["crew_id", "group_id"],
    ["users", "people"],
    ["people_count", "people_count"],
  ]);
  expect(translatorOf(unsure)).toBe(undefined);
});

test("where nothing has another name nothing is translated", () => {
  expect(translatorOf(undefined)).toBe(undefined);
  expect(translatorOf(new Map([["teams", "teams"]]))).toBe(undefined);
});

test("a run whose tables have other names takes the same choices in its code", async () => {
  const { readings } = await comparer("javascript");
  const base = { "src/store.js": "export function list(db) {\n  return db.all();\n}\n" };
  const code = (thing: string) => ({
    "src/store.js": `export function list(db, ${thing}Id = null) {\n  check${thing === "team" ? "Team" : "Group"}(${thing}Id);\n  return db.all();\n}\n`,
  });
  const read = readings(base, [code("team"), code("team"), code("group")]);
  const third = read[2]?.run;
  if (third === undefined) throw new Error("three runs were read");
  const { questions } = toldBy(read, new Map([[third, words]]));
  const asked = Object.entries(questions).filter(([title]) => /teamId|checkTeam|Group|group/.test(title));
  expect(asked.map(([, answers]) => Object.values(answers))).toEqual(asked.map(() => ["1 2 3"]));
  expect(asked.length).toBeGreaterThan(0);
  expect(JSON.stringify(toldBy(read).questions)).toContain("groupId");
});
