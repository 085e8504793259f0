import { expect, test } from "vitest";
import { tellPlaces } from "../../src/facts/places.js";
import type { RunArtifacts } from "../../src/model/fact.js";
import { runId } from "../../src/model/ids.js";
import type { Decision } from "../../src/model/report.js";
import { run } from "../support/runs.js";

const first = runId.parse("r01");

/** One decision of one fact with this topic, read from the first run's schema. */
function decisionOn(topic: string): Decision {
  const evidence = [{ run: first, file: "runs/r01/schema.json", line: null }];
  return {
    id: "D1",
    title: "?",
    dimension: "schema",
    class: "split",
    worstClass: "split",
    bestClass: "split",
    counted: 1,
    of: 1,
    notApplicable: [],
    missing: [],
    options: [],
    disagreement: 0,
    weight: 1,
    sameRunsAs: [],
    ask: false,
    main: true,
    facts: [{ slot: "s", aspect: "type", title: "?", topic, answers: [], evidence }],
  };
}

/** Where a run says what the topic names, as `file:line`. */
function placesOf(topic: string, artifacts: Partial<RunArtifacts>): string[] {
  const [decision] = tellPlaces([decisionOn(topic)], [{ ...run(1, {}), ...artifacts }]);
  const evidence = decision?.facts.flatMap((fact) => fact.evidence) ?? [];
  return evidence.flatMap(({ file, line }) => (line === null ? [] : [`${file}:${line}`]));
}

function fileOf(path: string, start: number, ...lines: string[]): string {
  const head = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`;
  return `${head}@@ -${start},1 +${start},${lines.length + 1} @@\n before\n${lines.map((line) => `+${line}\n`).join("")}`;
}

const migration = fileOf(
  "db/2.sql",
  1,
  "CREATE TABLE tags (",
  "  name text",
  ");",
  "CREATE TABLE teams (",
  "  name text",
  ");",
);

test("a column is placed where it stands after its table, not where another table has one of its name", () => {
  expect(placesOf("type of `teams.name`", { patch: migration })).toEqual(["db/2.sql:6"]);
  expect(placesOf("type of `tags.name`", { patch: migration })).toEqual(["db/2.sql:3"]);
});

test("lines are those of the file after the change", () => {
  expect(placesOf("`left-pad`", { patch: fileOf("package.json", 40, '  "left-pad": "1.3.0"') })).toEqual([
    "package.json:41",
  ]);
  const scoped = fileOf("package.json", 7, '  "@scope/a.b": "1.3.0"');
  expect(placesOf("dependency `@scope/a.b`", { patch: scoped })).toEqual(["package.json:8"]);
});

test("SQL comes before code that speaks of the same thing", () => {
  const code = fileOf("a.ts", 1, 'const teams = pgTable("teams", {});');
  expect(placesOf("`teams`", { patch: code + migration })).toEqual(["db/2.sql:5"]);
  expect(placesOf("`teams`", { patch: code })).toEqual(["a.ts:2"]);
});

test("a run is asked for its own names", () => {
  const ownWords = new Map([["workspaces", "Teams"]]);
  expect(placesOf("type of `workspaces.name`", { patch: migration, ownWords })).toEqual(["db/2.sql:6"]);
});

test("the file a database was loaded from is a place, too", () => {
  const sql = { file: "ann.sql", text: "-- teams, once more\ncreate table TEAMS (name text);\n" };
  expect(placesOf("`teams`", { sql })).toEqual(["ann.sql:2"]);
  expect(placesOf("type of `teams.name`", { sql })).toEqual(["ann.sql:2"]);
});

test("what no file of the run names has no place", () => {
  expect(placesOf("type of `teams.title`", { patch: migration })).toEqual([]);
  expect(placesOf("type of `teams.name`", { patch: null })).toEqual([]);
});
