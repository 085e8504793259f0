import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportIn, sandbox } from "../support/cli.js";
import { marked, useServer } from "../support/postgres.js";

const server = useServer();
test("an experiment on a user's server gives back every database and role, and writes its password nowhere", async () => {
  const place = sandbox();
  const seed = place.write("seed.sql", "CREATE TABLE notes (id int PRIMARY KEY);\n");
  const flags = ["--database", "postgres", "--database-url", server.url.reveal(), "--seed", seed];
  const ended = await place.experiment('test -n "$DATABASE_URL" && echo "$DATABASE_URL"', { runs: 2, flags }).ended;
  expect(ended.code, ended.stderr).toBe(0);
  const report = reportIn(ended);
  expect(report.resources).toMatchObject({ leaked: [] });
  expect(report.runs.map((run) => run.outcome)).toEqual(["no_change", "no_change"]);
  expect(await marked(server)).toEqual([]);
  expect(place.left()).toEqual([]);
  const password = new URL(server.url.reveal()).password;
  const said = readFileSync(join(place.out, "runs/r01/stdout.log"), "utf8");
  expect(said).toContain("***");
  for (const text of [said, ended.stderr, ended.stdout, readFileSync(join(place.out, "experiment.json"), "utf8")]) {
    expect(text).not.toContain(password);
  }
});
