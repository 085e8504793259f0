import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { ReportRun } from "../../../src/model/report.js";
import { compareFolder, gatherFolder } from "../../../src/pipeline/compare/compare.js";
import { reportOf, writeExperiment } from "../../../src/pipeline/compare/gathered.js";
import { synthesizeFolder } from "../../../src/pipeline/synthesize.js";
import { benchOf } from "../../support/compare.js";
import { errorOf } from "../../support/expect.js";

const users =
  "CREATE TABLE users (id int PRIMARY KEY, email text NOT NULL);\nINSERT INTO users VALUES (1, 'a'), (2, 'b');\n";
const teams = (name: string) =>
  `CREATE TABLE ${name} (id int PRIMARY KEY, owner_id int NOT NULL REFERENCES users, seats int);\n`;
const patch = "diff --git a/a.txt b/a.txt\nnew file mode 100644\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n";
const passing = JSON.stringify([{ id: "t", title: "npm test", status: "pass", durationMs: 1, tail: "" }]);

const states = (runs: readonly ReportRun[]) => runs.map(({ variant, outcome }) => `${variant} ${outcome}`);

test("each run has its state, a file that fails names file, line and SQLSTATE, and everything is given back", async () => {
  const bench = await benchOf({
    "base.sql": users,
    "run-10.sql": teams("teams"),
    "run-2.sql": teams("teams"),
    "run-1.sql": `${users}${teams("teams")}`,
    "broken.sql": "CREATE TABLE a (id int);\nCREATE TABEL b ();\n",
    "idle.checks.json": passing,
    "run-2.patch": patch,
    "notes.md": "not a run",
    "checks.json": "not a run either",
  });
  const before = readdirSync(bench.from).map((name) => readFileSync(join(bench.from, name), "utf8"));
  const report = await compareFolder(bench);
  expect(states(report.runs)).toEqual([
    "broken unreadable",
    "idle no_change",
    "run-1 completed",
    "run-2 completed",
    "run-10 completed",
  ]);
  expect(report.runs.map(({ id }) => id)).toEqual(["r01", "r02", "r03", "r04", "r05"]);
  expect(report.runs[0]?.reason).toMatch(/^its database could not be read: broken\.sql line 2: .*SQLSTATE 42601/);
  expect(report.runs[3]?.patch).toEqual({ files: 1, added: 1, deleted: 0, applies: null });
  const [first] = report.decisions;
  expect(first?.options.map(({ runs }) => runs)).toEqual([["r03", "r04", "r05"], ["r02"]]);
  expect(first?.missing).toEqual(["r01"]);
  expect(report.risks).toEqual([]);
  expect(report.resources.acquired).toBeGreaterThan(5);
  expect(report.resources).toMatchObject({ released: report.resources.acquired, leaked: [] });
  expect(readdirSync(bench.temporary)).toEqual([]);
  expect(readdirSync(bench.from).map((name) => readFileSync(join(bench.from, name), "utf8"))).toEqual(before);
});

test("on a copy of base a renamed table is the same table, and lost rows are a risk", async () => {
  const bench = await benchOf({
    "base.sql": users,
    "a.sql": "ALTER TABLE users RENAME TO people;",
    "b.sql": "DELETE FROM users WHERE id = 2;",
    "c.sql": "ALTER TABLE users RENAME TO people;",
  });
  const report = await compareFolder(bench);
  expect(JSON.stringify(report.agreed)).not.toContain("dropped");
  expect(report.risks.map(({ runs }) => runs)).toEqual([["r02"]]);
});

test("base's SQL and the runs' can do nothing on the server but to their own database", async () => {
  const harm = "COPY (SELECT 1) TO PROGRAM 'touch /tmp/multirun-was-here';";
  const bench = await benchOf({ "a.sql": harm, "b.sql": "CREATE TABLE t (id int);" });
  const { runs } = await compareFolder(bench);
  expect(runs[0]?.reason).toContain("SQLSTATE 42501");
  const base = await benchOf({ "base.sql": harm, "b.sql": "CREATE TABLE t (id int);" });
  const error = await errorOf(() => compareFolder(base));
  expect(error).toMatchObject({ code: "bad_input", message: expect.stringContaining("base.sql line 1") });
  expect(readdirSync(base.temporary)).toEqual([]);
  expect(existsSync("/tmp/multirun-was-here")).toBe(false);
});

test("two executions give the same bytes, and the written experiment gives them again", async () => {
  const bench = await benchOf({
    "a.sql": `${users}${teams("teams")}`,
    "b.sql": `${users}${teams("groups")}`,
    "a.patch": patch,
  });
  const gathered = await gatherFolder(bench);
  const report = await reportOf(gathered);
  expect(JSON.stringify(await compareFolder(bench))).toBe(JSON.stringify(report));
  const { path } = await writeExperiment(bench.out, gathered);
  expect(JSON.stringify(await synthesizeFolder(path))).toBe(JSON.stringify(report));
  expect(readFileSync(join(path, "runs", "r01", "patch.diff"), "utf8")).toBe(patch);
  // Whoever resumes or sweeps it must find no work folder, least of all a folder of somebody else's.
  expect(existsSync(gathered.experiment.work)).toBe(false);
});

test("a cancelled comparison ends what waits in a database and leaves nothing", async () => {
  const bench = await benchOf({ "a.sql": "SELECT pg_sleep(3600);", "b.sql": "SELECT pg_sleep(3600);" });
  const comparing = compareFolder(bench);
  const reason = new Error("cancelled");
  const watch = setInterval(() => {
    const started = readdirSync(bench.temporary).some((name) =>
      existsSync(join(bench.temporary, name, "postgres.json")),
    );
    if (started) bench.cancel.abort(reason);
  }, 20);
  await expect(comparing).rejects.toBe(reason);
  clearInterval(watch);
  expect(readdirSync(bench.temporary)).toEqual([]);
});

test.each([
  ["a folder that is not there", {}, "no-such", "cannot be read: ENOENT"],
  ["a folder without a run", { "README.md": "" }, "", "holds no run"],
])("%s is wrong use", async (_name, files, below, said) => {
  const bench = await benchOf(files);
  const error = await errorOf(() => compareFolder({ ...bench, from: join(bench.from, below) }));
  expect(error.code).toBe("bad_input");
  expect(error.message).toContain(said);
});

const sets = fileURLToPath(new URL("../../../../shared/nway/schemas/", import.meta.url));
const known = existsSync(sets) ? readdirSync(sets) : [];

test.skipIf(known.length === 0)(
  "every run of the shared sets has a state and nothing of it is lost (skipped where the sets are absent)",
  async () => {
    for (const set of known) {
      const { temporary, deps, cancel } = await benchOf({});
      const report = await compareFolder({ from: join(sets, set), temporary, deps, cancel });
      const names = readdirSync(join(sets, set)).flatMap(
        (name) => /^(.+)\.(?:sql|checks\.json)$/.exec(name)?.[1] ?? [],
      );
      expect(report.runs.map(({ variant }) => variant).sort()).toEqual([...new Set(names)].sort());
      const withSql = report.runs.filter(({ variant }) => existsSync(join(sets, set, `${variant}.sql`)));
      expect(withSql.every(({ outcome }) => outcome === "completed")).toBe(true);
      expect(report.runs.every(({ outcome, unreadable }) => outcome !== "unreadable" && unreadable.length === 0)).toBe(
        true,
      );
      expect(report.resources.released).toBe(report.resources.acquired);
      expect(readdirSync(temporary)).toEqual([]);
    }
  },
);

test("a whole schema that brings no rows removes none, one that brings some is taken at its word", async () => {
  const tables =
    "CREATE TABLE users (id int PRIMARY KEY, email text NOT NULL);\nCREATE TABLE plans (id int PRIMARY KEY);\n";
  const report = await compareFolder(
    await benchOf({
      "base.sql": `${tables}INSERT INTO users VALUES (1, 'a'), (2, 'b');\nINSERT INTO plans VALUES (1);\n`,
      "bare.sql": `${tables}CREATE TABLE teams (id int PRIMARY KEY);\n`,
      "some.sql": `${tables}CREATE TABLE teams (id int PRIMARY KEY);\nINSERT INTO users VALUES (1, 'a');\n`,
    }),
  );
  expect(report.risks).toEqual([{ title: "`users`: 1 of 2 rows removed", runs: ["r02"], of: 2 }]);
});

test("names the repo keeps as one are one", async () => {
  const bench = await benchOf({
    "a.sql": "CREATE TABLE zebra (id int PRIMARY KEY, seen date, weight numeric);",
    "b.sql": "CREATE TABLE quartz (id int PRIMARY KEY, note text);",
  });
  const titlesWith = async (overrides: object) => {
    const { naming } = await compareFolder({ ...bench, overrides });
    return naming.map(({ title }) => title);
  };
  expect(await titlesWith({})).toEqual([]);
  expect(await titlesWith({ aliases: [["zebra", "quartz"]] })).toEqual(["Names of `quartz`"]);
});
