import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { experimentSchema } from "../../src/model/experiment.js";
import { ledgerLine } from "../../src/model/ledger.js";
import { runRecord } from "../../src/model/record.js";
import { reportSchema } from "../../src/model/report.js";
import { ledgerOf, reportIn, type Sandbox, sandbox, until } from "../support/cli.js";
import { fingerprint } from "../support/fingerprint.js";

const read = (...path: string[]) => readFileSync(join(...path), "utf8");
const readJson = (...path: string[]) => JSON.parse(read(...path));
const isRunning = (place: Sandbox) => () =>
  ledgerOf(place.out).some((line) => line.event === "state" && line.state === "running");

test("every document of an experiment is what the contracts say, and says what each run got", async () => {
  const place = sandbox();
  const task = "---\ntitle: Change it\n---\nChange the app.\n";
  const flags = ["--model", "small:1,large:1", "--check", "test -s app.txt"];
  const agent = 'cat > task.seen; echo "$MULTIRUN_MODEL" > app.txt';
  const ended = await place.experiment(agent, { runs: 2, task, flags }).ended;
  expect(ended.code, ended.stderr).toBe(0);

  const plan = experimentSchema.parse(readJson(place.out, "experiment.json"));
  const models = plan.runs.map((run) => plan.variants.find((each) => each.name === run.variant)?.model);
  expect(models).toEqual(["small", "large"]);
  expect(plan.base).toBe(execFileSync("git", ["-C", place.repo, "rev-parse", "HEAD"], { encoding: "utf8" }).trim());
  for (const line of ledgerOf(place.out)) ledgerLine.parse(line);
  const record = runRecord.parse(readJson(place.out, "runs/r01/record.json"));
  expect(record).toMatchObject({ outcome: "completed", variant: "small", checks: { passed: 1, total: 1 } });
  expect(record.patch).toMatchObject({ files: 2, applies: true });
  expect(read(place.out, "runs/r01/patch.diff")).toContain("+Change the app.");
  expect(reportSchema.parse(reportIn(ended))).toEqual(readJson(place.out, "report.json"));
  expect(read(place.out, "report.md")).toContain("Change it");
  expect(place.left()).toEqual([]);
});

test("an experiment keeps the texts its patches were made for, and needs no repo to be read again", async () => {
  const place = sandbox();
  writeFileSync(join(place.repo, "count.py"), "one = 1\n");
  for (const args of [
    ["add", "count.py"],
    ["-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "x"],
  ]) {
    execFileSync("git", ["-C", place.repo, ...args]);
  }
  const ended = await place.experiment("echo two = 2 >> count.py; echo x > new.py", { runs: 2 }).ended;
  expect(ended.code, ended.stderr).toBe(0);
  expect(readJson(place.out, "base/files.json")).toEqual({ version: 1, files: { "count.py": { text: "one = 1\n" } } });
  rmSync(place.repo, { recursive: true });
  const again = await place.run("synthesize", place.out, "--json");
  expect(JSON.parse(again.stdout)).toEqual(reportIn(ended));
});

test("nothing of a caller's environment reaches an agent", async () => {
  const place = sandbox();
  const ended = await place.experiment("env | cut -d= -f1 | sort > seen.txt").ended;
  expect(ended.code, ended.stderr).toBe(0);
  const patch = read(place.out, "runs/r01/patch.diff");
  const seen = [...patch.matchAll(/^\+([A-Za-z_]+)$/gm)].map((match) => match[1] ?? "");
  const ours = ["CLAIMS_FILE", "DEADLINE", "EXPERIMENT", "NAMESPACE", "PORT_BASE", "RUN", "TASK_FILE"];
  const caches = ["PIP_CACHE_DIR", "XDG_CACHE_HOME", "npm_config_cache"];
  const expected = ["HOME", "LANG", "PATH", "TERM", "TMPDIR", ...caches, ...ours.map((name) => `MULTIRUN_${name}`)];
  // The shell that prints them adds some of its own.
  const shell = ["PWD", "OLDPWD", "SHLVL", "_"];
  expect(seen.filter((name) => !shell.includes(name)).sort()).toEqual(expected.sort());
});

test("cancelled by a signal, what was done is captured, everything goes back, exit code 130", async () => {
  const place = sandbox();
  const flags = ["--parallel", "1"];
  const running = place.experiment("echo half > app.txt; sleep 60", { runs: 2, flags });
  await until("r01 runs", isRunning(place));
  await until("it has worked", () => {
    const [work] = readdirSync(place.temporary).filter((name) => name.startsWith("multirun-"));
    return work !== undefined && read(place.temporary, work, "r01-1/repo/app.txt") === "half\n";
  });
  running.child.kill("SIGINT");
  const ended = await running.ended;
  expect(ended.code).toBe(130);
  expect(reportIn(ended).runs[0]).toMatchObject({ outcome: "cancelled", partial: true, patch: { files: 1 } });
  expect(place.left()).toEqual([]);
  // The run that had not begun can still be done.
  const status = JSON.parse((await place.run("status", place.out, "--json")).stdout);
  expect(status).toMatchObject({ alive: false, done: 1, planned: 2 });
});

test("multirun cancel stops an experiment that another process works on", async () => {
  const place = sandbox();
  const running = place.experiment("sleep 60");
  await until("r01 runs", isRunning(place));
  expect((await place.run("cancel", place.out)).code).toBe(0);
  expect((await running.ended).code).toBe(130);
  expect(place.left()).toEqual([]);
  expect((await place.run("cancel", place.out)).code).toBe(2);
});

test("the user's repo is the same to the bit before and after", async () => {
  const place = sandbox();
  const { repo } = place;
  const identity = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
  const git = (...args: string[]) => execFileSync("git", ["-C", repo, ...identity, ...args], { stdio: "pipe" });
  git("branch", "other");
  git("worktree", "add", "--quiet", join(place.folder, "tree"), "other");
  writeFileSync(join(repo, "other.txt"), "stashed\n");
  git("stash");
  writeFileSync(join(repo, "app.txt"), "staged\n");
  git("add", "app.txt");
  writeFileSync(join(repo, "untracked.txt"), "mine\n");
  const before = fingerprint(repo);
  const agent = `echo x > app.txt; git add .; git ${identity.join(" ")} commit -qm done; git branch extra; git stash list`;
  const task = place.write("task.md", "Change it.\n");
  // Without --out the experiment lies in the repo itself.
  const ended = await place.run("run", "--task", task, "-n", "2", "--command", agent, "--repo", repo);
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toContain("the work tree has changes");
  expect(fingerprint(repo)).toEqual(before);
  expect(git("status", "--porcelain").toString()).not.toContain(".multirun");
});

test("setup is part of base: what its migrations make is nobody's choice", async () => {
  const place = sandbox();
  const client = join(import.meta.dirname, "../../node_modules/pg");
  const query = place.write(
    "query.cjs",
    `const c = new (require(${JSON.stringify(client)}).Client)({ connectionString: process.env.DATABASE_URL });
     c.connect().then(() => c.query(process.argv[2])).then(() => c.end());`,
  );
  const sql = (text: string) => `${process.execPath} ${query} "${text}"`;
  const seed = place.write("seed.sql", "CREATE TABLE notes (id int PRIMARY KEY);\n");
  const flags = [
    "--seed",
    seed,
    "--expose",
    dirname(client),
    "--setup",
    sql("CREATE TABLE IF NOT EXISTS migrated (id int PRIMARY KEY)"),
  ];
  const agent = sql("ALTER TABLE migrated ADD body text; ALTER TABLE notes ADD body text");
  const ended = await place.experiment(agent, { runs: 2, flags }).ended;
  expect(ended.code, ended.stderr).toBe(0);
  const report = reportIn(ended);
  expect(report.runs.map((run) => run.outcome)).toEqual(["completed", "completed"]);
  expect(report.agreed.map((fact) => fact.title).join()).toContain("migrated.body");
  expect(JSON.stringify(report)).not.toContain("table `migrated`");
  const tables = readJson(place.out, "base/schema.json").tables.map((each: { name: string }) => each.name);
  expect(tables).toEqual(["migrated", "notes"]);
});

test("an agent that writes the password of its database into that database writes it into no artifact", async () => {
  const place = sandbox();
  const client = join(import.meta.dirname, "../../node_modules/pg");
  const agent = place.write(
    "leak.cjs",
    `const url = new URL(process.env.DATABASE_URL);
     require("node:fs").writeFileSync(process.argv[2], url.password);
     const c = new (require(${JSON.stringify(client)}).Client)({ connectionString: url.href });
     c.connect()
       .then(() => c.query("ALTER TABLE notes ADD a text, ADD b text DEFAULT '" + url.password + "'"))
       .then(() => c.query("UPDATE notes SET a = $1", [url.password]))
       .then(() => c.end());`,
  );
  const seed = place.write(
    "seed.sql",
    "CREATE TABLE notes (id int PRIMARY KEY);\nINSERT INTO notes VALUES (1), (2);\n",
  );
  const told = join(place.folder, "password");
  const ended = await place.experiment(`${process.execPath} ${agent} ${told}`, {
    flags: ["--seed", seed, "--sandbox", "none"],
  }).ended;
  expect(ended.code, ended.stderr).toBe(0);
  const password = readFileSync(told, "utf8");
  expect(password.length).toBeGreaterThan(10);
  const written = ["schema.json", "rows.json"].map((name) => readFileSync(join(place.out, "runs/r01", name), "utf8"));
  for (const text of [...written, ended.stdout]) expect(text).not.toContain(password);
  expect(written.join()).toContain("***");
});

test("a path against the contract is a risk in every rendering and keeps its run from being the candidate", async () => {
  const place = sandbox();
  const agent = 'echo x >> app.txt; test "$MULTIRUN_RUN" = r02 && mkdir .github && echo y > .github/x || true';
  const ended = await place.experiment(agent, { runs: 3, flags: ["--deny", ".github/**"] }).ended;
  expect(ended.code, ended.stderr).toBe(0);
  const report = reportIn(ended);
  const title = "changes `.github/x`, against the contract's deny `.github/**`";
  expect(report.risks).toEqual([{ title, runs: ["r02"], of: 3 }]);
  expect(report.runs[1]?.flags).toEqual(["contract_violated"]);
  expect(report.candidate.run).not.toBe("r02");
  const said = await place.run("synthesize", place.out);
  expect(said.stdout).toContain(".github/x");
  expect(said.stdout).toContain("r02 ⚠ contract");
  expect(read(place.out, "report.md")).toContain("completed, ⚠ contract");
  expect(read(place.out, "report.md")).toContain(".github/x");
});

test("a column that a run drops from its database breaks a contract that forbids it", async () => {
  const place = sandbox();
  mkdirSync(join(place.repo, ".github"));
  const contract = { forbid: ["migrations that drop"] };
  writeFileSync(join(place.repo, ".github", "multirun.yml"), JSON.stringify({ contract }));
  const seed = place.write("seed.sql", "create table users (id int primary key, nick text);");
  const pg = fileURLToPath(import.meta.resolve("pg"));
  const modules = dirname(pg.slice(0, pg.lastIndexOf("/node_modules/") + "/node_modules/x".length));
  const drop = place.write(
    "drop.mjs",
    `import pg from ${JSON.stringify(pg)};
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await client.query("alter table users drop column nick");
await client.end();
`,
  );
  const agent = `echo done > app.txt; test "$MULTIRUN_RUN" = r02 && node ${drop}; true`;
  const ended = await place.experiment(agent, { runs: 2, flags: ["--seed", seed, "--expose", modules] }).ended;
  expect(ended.code, ended.stderr).toBe(0);
  const { risks, runs } = reportIn(ended);
  const title = "migrations that drop, which the contract forbids: `column users.nick`";
  expect(risks).toContainEqual({ title, runs: ["r02"], of: 2 });
  expect(runs.map(({ flags }) => flags)).toEqual([[], ["contract_violated"]]);
});

test("forbidden things, limits and what is required are told of the run that breaks them, and denied files are withheld", async () => {
  const place = sandbox();
  const task = [
    "---",
    "contract:",
    '  deny: [".github/**"]',
    '  forbid: ["new dependencies", "migrations that drop"]',
    "  limits: { files: 3, lines: 20 }",
    '  require: ["CHANGELOG.md"]',
    "---",
    "Do it.",
  ].join("\n");
  const good = "echo x >> app.txt; echo y > CHANGELOG.md";
  const bad =
    'mkdir .github db; echo y > .github/x; printf "{\\n\\"dependencies\\": { \\"left-pad\\": \\"^1.0.0\\" }\\n}\\n" > package.json; ' +
    'echo "DROP TABLE notes;" > db/1.sql; seq 30 > numbers.txt';
  const ended = await place.experiment(`if test "$MULTIRUN_RUN" = r02; then ${bad}; else ${good}; fi`, {
    runs: 3,
    task,
  }).ended;
  expect(ended.code, ended.stderr).toBe(0);
  const report = reportIn(ended);
  expect(report.experiment.notEnforced).toEqual([]);
  expect(report.risks.map(({ title, runs }) => `${runs}: ${title}`)).toEqual([
    "r02: changes `.github/x`, against the contract's deny `.github/**`",
    "r02: migrations that drop, which the contract forbids: `table notes` (`db/1.sql` line 1)",
    "r02: new dependencies, which the contract forbids: `npm left-pad` (`package.json` line 2)",
    "r02: changes more files than the contract's limit: 4 of at most 3",
    "r02: changes more lines than the contract's limit: 35 of at most 20",
    "r02: leaves no new or changed file `CHANGELOG.md`, which the contract requires",
  ]);
  expect(report.runs.map(({ flags }) => flags)).toEqual([[], ["contract_violated"], []]);
  expect(report.runs[1]?.patch).toMatchObject({ files: 4, withheld: 1 });
  expect(read(place.out, "runs/r02/patch.diff")).toContain(".github/x");
  expect(read(place.out, "runs/r02/offered.diff")).not.toContain(".github");
  expect(read(place.out, "runs/r02/offered.diff")).toContain("numbers.txt");
  expect(read(place.out, "report.md")).toContain("left-pad");
});

test("a check that no run passes is said of the candidate, and whether base passes it", async () => {
  const place = sandbox();
  const ended = await place.experiment("echo x >> app.txt", { runs: 3, flags: ["--check", "false"] }).ended;
  const report = reportIn(ended);
  expect(report.agreed.map(({ title, label }) => `${title} ${label}`)).toContain("`false` fails, as in base");
  expect(report.candidate.reason).toContain("but 1 of 1 checks fail in it as in all others");
});

test("what an agent says of its work is held against what was found, and never counts", async () => {
  const place = sandbox();
  const claims = JSON.stringify({ version: 1, testsPass: true, filesChanged: ["app.txt", "ghost.txt"] });
  const agent = `echo x >> app.txt; echo '${claims}' > "$MULTIRUN_CLAIMS_FILE"`;
  const ended = await place.experiment(agent, { runs: 1, flags: ["--check", "test ! -s app.txt"] }).ended;
  expect(ended.code, ended.stderr).toBe(0);
  const [run] = reportIn(ended).runs;
  expect(run?.claims).toEqual([
    "says its tests pass; `test ! -s app.txt` fails",
    "says it changed `ghost.txt`, which is as it was",
  ]);
  expect(run?.flags).toContain("claims_contradicted");
  expect(read(place.out, "report.md")).toContain("**Said, and not so:**");
});
