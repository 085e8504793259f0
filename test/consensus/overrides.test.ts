import { expect, test } from "vitest";
import { experimentSchema } from "../../src/model/experiment.js";
import { configPath, readConfig } from "../../src/plan/config.js";
import { base, built, oneThing, runsWith, times } from "../support/alignment.js";
import { experimentOf, reportOf } from "../support/report.js";

const teams = built("teams", "id name owner_id>users");
const clubs = built("clubs", "id motto place:point");
const members = built("team_members", "id team_id>teams user_id>users role");
const seats = built("memberships", "id team_id>teams member_id>users role");

test("names in one list of aliases are one thing, however unlike", () => {
  const runs = runsWith(...times(2, [teams]), ...times(2, [clubs]));
  expect(oneThing(runs)).toEqual([]);
  expect(oneThing(runs, { aliases: [["teams", "clubs"]] })).toEqual(["clubs = teams"]);
});

test("columns in one list of aliases are one thing, and so are their tables", () => {
  const runs = runsWith(...times(3, [teams]), ...times(3, [clubs]));
  expect(oneThing(runs, { aliases: [["teams.name", "clubs.motto"]] })).toEqual([
    "clubs = teams",
    "clubs.motto = teams.name",
  ]);
});

test("names in one list of distinct are two things, however alike", () => {
  const runs = runsWith(...times(3, [teams, members]), ...times(3, [teams, seats]));
  expect(oneThing(runs)).toContain("memberships = team_members");
  expect(oneThing(runs, { distinct: [["team_members", "memberships"]] })).toEqual([]);
  const kept = oneThing(runs, { distinct: [["team_members.user_id", "memberships.member_id"]] });
  expect(kept).toEqual(["memberships = team_members"]);
});

test("distinct also parts what is equal in everything but its name", () => {
  const way = (name: string) => [
    built(name, "id name owner_id>users"),
    built(`${name}_of`, `${name}_id>${name} user_id>users`, `${name}_id user_id`),
  ];
  const runs = runsWith(...times(3, way("teams")), ...times(3, way("crews")));
  expect(oneThing(runs)).toContain("crews = teams");
  const parted = oneThing(runs, { distinct: [["teams", "crews"]] });
  expect(parted.filter((names) => names.includes("crews ="))).toEqual([]);
});

test("two names that one run uses stay two, whatever aliases say, and what is distinct is no alias", () => {
  const both = runsWith(...times(3, [teams]), ...times(3, [clubs]), [teams, clubs]);
  expect(oneThing(both, { aliases: [["teams", "clubs"]] })).toEqual([]);
  const runs = runsWith(...times(3, [teams]), ...times(3, [clubs]));
  expect(oneThing(runs, { aliases: [["teams", "clubs"]], distinct: [["clubs", "teams"]] })).toEqual([]);
});

test("names nobody uses, and those of base, change nothing", () => {
  const runs = runsWith(...times(3, [teams]), ...times(3, [clubs]));
  const lists = [
    ["ghosts", "teams"],
    ["users", "clubs"],
    ["__proto__", "constructor"],
  ];
  expect(oneThing(runs, { aliases: lists, distinct: lists })).toEqual([]);
});

test("the plan's lists reach the report", () => {
  const runs = runsWith(...times(2, [teams]), ...times(2, [clubs]));
  const names = (aliases?: string[][]) =>
    reportOf(runs, base, { experiment: aliases ? { aliases } : {} }).naming.map(({ title }) => title);
  expect(names()).toEqual([]);
  expect(names([["public.teams", "clubs"]])).toEqual(["Names of `clubs`"]);
});

test("the repo's file takes both lists and refuses a name without another", () => {
  const lists = "aliases: [[teams, workspaces], [a.b, c.d]]\ndistinct: [[tags, labels]]";
  expect(readConfig(lists)).toEqual({
    aliases: [
      ["teams", "workspaces"],
      ["a.b", "c.d"],
    ],
    distinct: [["tags", "labels"]],
  });
  expect(() => readConfig("aliases: [[teams]]")).toThrow(/aliases.*two names or more/s);
  expect(() => readConfig("distinct: teams")).toThrow(configPath);
});

test("a plan that was written before there were such lists still reads", () => {
  const plan = experimentOf(2);
  expect(plan).not.toHaveProperty("aliases");
  expect(experimentSchema.parse(plan).aliases).toBeUndefined();
  expect(experimentSchema.parse({ ...plan, aliases: [["a", "b"]] }).aliases).toEqual([["a", "b"]]);
});
