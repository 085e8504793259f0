import { expect, test } from "vitest";
import type { BaseArtifacts, RunArtifacts } from "../../src/model/fact.js";
import type { SchemaColumn, SchemaConstraint, SchemaTable } from "../../src/model/schema.js";
import { reportOf } from "../support/report.js";
import { column, id, key, refers, run, snapshot, table } from "../support/runs.js";

const users = table("users", { columns: [id(), column("email", "text")], constraints: [key("id")] });
const base: BaseArtifacts = { schema: snapshot([users]), checks: null };

const made = (name: string, columns: SchemaColumn[], ...constraints: SchemaConstraint[]) =>
  table(name, { columns: [id(), ...columns], constraints: [key("id"), ...constraints] });
const whole = (name: string) => column(name, "integer");
const text = (name: string) => column(name, "text");
const owned = (name: string, ...columns: SchemaColumn[]) =>
  made(name, [whole("owner_id"), ...columns], refers("owner_id", "users"));
const link = (name: string, to: string, by: string, ...columns: SchemaColumn[]) =>
  table(name, {
    columns: [whole(by), whole("user_id"), ...columns],
    constraints: [key(by, "user_id"), refers(by, to), refers("user_id", "users")],
  });

/** One run per list of new tables, each list twice, so that nothing is told as one run's alone. */
function runsOf(...all: SchemaTable[][]): RunArtifacts[] {
  return [...all, ...all].map((tables, at) => run(at + 1, { schema: snapshot([users, ...tables]) }));
}

/** The names that were found to be one, entry by entry. */
const named = (...all: SchemaTable[][]) => namedIn(runsOf(...all));
const namedIn = (runs: RunArtifacts[]) =>
  reportOf(runs, base).naming.map(({ options }) => options.map(({ label }) => label));

test("two tables that are equal but for their names are one, with the columns that lead to them", () => {
  const all = [
    [owned("teams", text("name")), link("team_members", "teams", "team_id")],
    [owned("groups", text("title")), link("people", "groups", "group_id")],
  ];
  expect(named(...all)).toEqual([["`groups`, `people`, `groups.title`", "`teams`, `team_members`, `teams.name`"]]);
  expect(reportOf(runsOf(...all), base)).toMatchObject({ decisions: [], oddOneOut: [] });
});

test("three ways to name the same are one entry", () => {
  const all = ["teams", "groups", "crews"].map((name) => [
    owned(name, text("name")),
    link(`${name}_of`, name, `${name}_id`),
  ]);
  expect(named(...all)).toEqual([["`crews`, `crews_of`", "`groups`, `groups_of`", "`teams`, `teams_of`"]]);
});

test("the name that most runs use is the one that is told", () => {
  const way = (name: string) => [owned(name, text("name")), link(`${name}_of`, name, `${name}_id`)];
  const runs = runsOf(way("zebras"), way("apes")).concat(run(5, { schema: snapshot([users, ...way("zebras")]) }));
  expect(namedIn(runs)).toEqual([["`zebras`, `zebras_of`", "`apes`, `apes_of`"]]);
  expect(reportOf(runs, base).agreed.map(({ title }) => title)).toEqual([
    "`zebras_of`",
    "`zebras`",
    "changes to `src/store.js`",
  ]);
});

test.each<[string, SchemaTable[], SchemaTable[]]>([
  [
    "a column more",
    [owned("teams", text("name")), link("team_members", "teams", "team_id")],
    [owned("groups", text("name"), text("slug")), link("group_members", "groups", "group_id")],
  ],
  [
    "a column of another kind",
    [owned("teams", text("name")), link("team_members", "teams", "team_id")],
    [owned("groups", whole("name")), link("group_members", "groups", "group_id")],
  ],
  [
    "another key",
    [owned("teams", text("name")), link("team_members", "teams", "team_id")],
    [
      owned("groups", text("name")),
      made(
        "group_members",
        [whole("group_id"), whole("user_id")],
        refers("group_id", "groups"),
        refers("user_id", "users"),
      ),
    ],
  ],
  [
    "a reference elsewhere",
    [owned("teams", text("name")), link("team_members", "teams", "team_id")],
    [
      owned("groups", text("name")),
      {
        ...link("group_members", "groups", "group_id"),
        constraints: [key("group_id", "user_id"), refers("group_id", "groups"), refers("user_id", "groups")],
      },
    ],
  ],
])("tables that differ in %s stay two", (_what, one, other) => {
  expect(named(one, other)).toEqual([]);
});

test("what may be chosen differently does not keep two names apart", () => {
  const strict = table("group_members", {
    columns: [column("group_id", "bigint", { notNull: true }), column("user_id", "integer", { notNull: true })],
    constraints: [
      key("group_id", "user_id"),
      refers("group_id", "groups", "cascade"),
      refers("user_id", "users", "set null"),
    ],
    rowSecurity: "on",
  });
  const groups = made(
    "groups",
    [
      column("owner_id", "integer", { notNull: true }),
      column("name", "character varying(9)", { default: "'x'::text" }),
    ],
    refers("owner_id", "users", "cascade"),
  );
  expect(named([owned("teams", text("name")), link("team_members", "teams", "team_id")], [groups, strict])).toEqual([
    ["`group_members`, `groups`", "`team_members`, `teams`"],
  ]);
});

test("members and invitations are two things, whether or not a run has both", () => {
  const teams = owned("teams", text("name"));
  const members = link("team_members", "teams", "team_id");
  const invites = link("team_invites", "teams", "team_id");
  expect(named([teams, members], [teams, invites])).toEqual([]);
  expect(named([teams, members], [teams, invites], [teams, members, invites])).toEqual([]);
});

test("two names that one run uses side by side are never one", () => {
  const way = (name: string) => [owned(name, text("name")), link(`${name}_of`, name, `${name}_id`)];
  expect(named(way("teams"), way("groups"), [...way("teams"), ...way("groups")])).toEqual([]);
  expect(named(way("teams"), way("groups"), [...way("teams"), made("groups", [text("colour")])])).toEqual([]);
});

test.each<[string, SchemaTable[], SchemaTable[]]>([
  ["a name alone", [made("tags", [text("name")])], [made("labels", [text("name")])]],
  ["text alone", [owned("tags", text("name"), text("colour"))], [owned("folders", text("name"), text("path"))]],
  [
    "columns without a reference",
    [made("plans", [text("name"), whole("price")])],
    [made("sizes", [text("name"), whole("width")])],
  ],
  [
    "a reference to itself",
    [made("kinds", [text("name"), whole("rank"), whole("parent_id")], refers("parent_id", "kinds"))],
    [made("areas", [text("name"), whole("size"), whole("parent_id")], refers("parent_id", "areas"))],
  ],
  [
    "one reference",
    [made("kinds", [text("name")]), made("things", [whole("kind_id")], refers("kind_id", "kinds"))],
    [made("states", [text("name")]), made("things", [whole("state_id")], refers("state_id", "states"))],
  ],
])("%s is too little to call two names one", (_what, one, other) => {
  expect(named(one, other)).toEqual([]);
});

test("a lone table is one under two names where it refers to something and holds more than text", () => {
  const one = [owned("plans", text("name"), whole("price"))];
  expect(named(one, [owned("offers", text("name"), whole("price"))])).toEqual([["`offers`", "`plans`"]]);
});

test("columns of a table that keeps its name are one only where they lead to the same new thing", () => {
  const teams = owned("teams", text("name"));
  expect(named([teams, link("seats", "teams", "team_id")], [teams, link("seats", "teams", "crew_id")])).toEqual([
    ["`seats.crew_id`", "`seats.team_id`"],
  ]);
  expect(
    named(
      [teams, link("seats", "teams", "team_id")],
      [owned("teams", text("motto")), link("seats", "teams", "team_id")],
    ),
  ).toEqual([]);
});

test("columns that lead to the same table of base are one where no run has both", () => {
  const hired = (...by: string[]) =>
    made("teams", [...by.map(whole), text("name")], ...by.map((name) => refers(name, "users")));
  expect(named([hired("owner_id")], [hired("creator_id")])).toEqual([["`teams.creator_id`", "`teams.owner_id`"]]);
  expect(named([hired("owner_id")], [hired("creator_id")], [hired("owner_id", "creator_id")])).toEqual([]);
});

test("where two fit equally well neither is taken", () => {
  const pair = (a: string, b: string) =>
    [a, b].flatMap((name) => [owned(name, text("name")), link(`${name}_of`, name, "of_id")]);
  expect(named(pair("teams", "clubs"), pair("groups", "guilds"))).toEqual([]);
  expect(named(pair("teams", "clubs"), [owned("groups", text("name")), link("groups_of", "groups", "of_id")])).toEqual(
    [],
  );
  const twoTexts = (name: string, ...columns: string[]) => [
    owned(name, ...columns.map(text)),
    link(`${name}_of`, name, "of_id"),
  ];
  expect(named(twoTexts("teams", "name", "about"), twoTexts("groups", "title", "purpose"))).toEqual([]);
});

test("equal names come first, and what is then left over is one", () => {
  const pair = (a: string, b: string) =>
    [a, b].flatMap((name) => [owned(name, text("name")), link(`${name}_of`, name, "of_id")]);
  expect(named(pair("teams", "clubs"), pair("teams", "guilds"))).toEqual([
    ["`clubs`, `clubs_of`", "`guilds`, `guilds_of`"],
  ]);
  const twoTexts = (name: string, ...columns: string[]) => [
    owned(name, ...columns.map(text)),
    link(`${name}_of`, name, "of_id"),
  ];
  expect(named(twoTexts("teams", "name", "about"), twoTexts("groups", "name", "purpose"))).toEqual([
    ["`groups`, `groups_of`, `groups.purpose`", "`teams`, `teams_of`, `teams.about`"],
  ]);
});

test("a new column never takes the name of one that base has", () => {
  const kept = table("users", {
    columns: [...users.columns, whole("group_id")],
    constraints: [key("id"), refers("group_id", "groups")],
  });
  const known = {
    schema: snapshot([table("users", { columns: [...users.columns, text("team_id")], constraints: [key("id")] })]),
    checks: null,
  };
  const [, , old] = known.schema.tables[0]?.columns ?? [];
  const schemas = [
    snapshot([
      table("users", {
        columns: [...users.columns, column("team_id", "integer", { attnum: 9 })],
        constraints: [key("id"), refers("team_id", "teams")],
      }),
      owned("teams", text("name")),
    ]),
    snapshot([
      { ...kept, columns: [...users.columns, ...(old ? [old] : []), column("group_id", "integer", { attnum: 9 })] },
      owned("groups", text("name")),
    ]),
  ];
  const runs = [...schemas, ...schemas].map((schema, at) => run(at + 1, { schema }));
  const names = reportOf(runs, known).naming.flatMap(({ options }) => options.map(({ label }) => label));
  expect(names).toEqual(["`groups`", "`teams`"]);
});
