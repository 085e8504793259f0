import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { identifier, toUrl, withClient } from "../src/clients/postgres.js";
import { embeddedServer } from "../src/isolate/database/server.js";
import type { Site } from "../src/isolate/database/site.js";
import { experimentId } from "../src/model/ids.js";
import { chaosOf } from "../test/support/neon/chaos.js";
import { type NeonEmulator, startNeon } from "../test/support/neon/neon.js";
import { randomOf } from "../test/support/random.js";

/** Of all calls to Neon, and of all its operations, these go wrong. */
const faultShare = 0.12;
const failShare = 0.04;
const killShare = 0.4;
const runs = 3;

interface Tally {
  experiments: number;
  faults: number;
  kills: number;
  leaked: number;
  parentTouched: number;
  wrongUrl: number;
  secretsSeen: number;
  reportsMissing: number;
}

/**
 * Whole experiments through the bundle against the emulated Neon, with faults at random calls and kill -9 of the orchestrator
 * at random lines of its ledger, then sweep. `--seed S` decides everything but time, `--experiments K` how many.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const numberOf = (flag: string, usual: number) => Number(args[args.indexOf(flag) + 1] ?? usual) || usual;
  const [seed, experiments] = [numberOf("--seed", 1), numberOf("--experiments", 20)];
  const random = randomOf(seed);
  const folder = mkdtempSync(join(tmpdir(), "multirun-chaos-"));
  chmodSync(folder, 0o711);
  const own = { id: experimentId.parse("chaos"), work: join(folder, "server"), parallel: 8 };
  const deps = {
    log: { info: () => undefined, warn: () => undefined },
    now: Date.now,
    sleep: (ms: number) => wait(ms),
    environment: process.env,
  };
  const server = embeddedServer(own, deps);
  const tally: Tally = {
    experiments: 0,
    faults: 0,
    kills: 0,
    leaked: 0,
    parentTouched: 0,
    wrongUrl: 0,
    secretsSeen: 0,
    reportsMissing: 0,
  };
  try {
    const site = await server.start();
    await asAdmin(site, `CREATE ROLE app_owner LOGIN PASSWORD '${site.admin.password}'`);
    for (let at = 0; at < experiments; at++) await one(join(folder, `e${at}`), site, random, tally);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return { name: "chaos-neon", seed, ...tally };
}

async function one(place: string, site: Site, random: () => number, tally: Tally): Promise<void> {
  mkdirSync(join(place, "tmp"), { recursive: true });
  chmodSync(place, 0o711);
  const parent = `parent_${tally.experiments}`;
  await asAdmin(site, `CREATE DATABASE ${parent} OWNER app_owner`);
  await asAdmin(
    site,
    "CREATE TABLE users (id int PRIMARY KEY); INSERT INTO users VALUES (1); ALTER TABLE users OWNER TO app_owner; ALTER SCHEMA public OWNER TO app_owner",
    parent,
  );
  const before = await fingerprint(site, parent);
  const neon = await startNeon({ site, parentDatabase: parent, operationMs: 10 });
  const chaos = chaosOf(random, faultShare);
  const next = (...asked: [string, string]) => {
    const fault = chaos(...asked);
    if (fault) tally.faults += 1;
    return fault;
  };
  neon.chaos = next;
  neon.state.fails = () => random() < failShare && ++tally.faults > 0;
  const repo = makeRepo(place, neon);
  const out = join(place, "out");
  const killAt = random() < killShare ? 1 + Math.floor(random() * 40) : null;
  const ended = await start(
    place,
    neon,
    [
      "run",
      "--task",
      join(place, "task.md"),
      "-n",
      `${runs}`,
      "--command",
      agent,
      "--repo",
      repo,
      "--out",
      out,
      "--sandbox",
      "none",
      "--seed",
      join(place, "seed.sql"),
    ],
    killAt,
  );
  if (ended.killed) {
    tally.kills += 1;
    await wait(200);
  }
  // What a killed one left nobody holds any more: the weather is fair again.
  delete neon.chaos;
  neon.state.fails = () => false;
  const swept = await start(
    place,
    neon,
    ["sweep", "--neon", neon.project, "--repo", repo, "--yes", ...(existsSync(out) ? [out] : [])],
    null,
  );
  tally.experiments += 1;
  tally.leaked += [...neon.state.branches.values()].filter(({ isDefault }) => !isDefault).length;
  if ((await fingerprint(site, parent)) !== before) tally.parentTouched += 1;
  tally.wrongUrl += wrongUrls(out, neon);
  const said = [ended.said, swept.said].join("");
  const secrets = [neon.apiKey, site.admin.password];
  tally.secretsSeen += secrets.filter((secret) => said.includes(secret) || isIn(secret, out)).length;
  if (!ended.killed && existsSync(out) && !existsSync(join(out, "report.json"))) {
    tally.reportsMissing += 1;
    process.stderr.write(`no report of experiment ${tally.experiments}: ${ended.said}\n`);
  }
  await neon.close();
  await asAdmin(site, `DROP DATABASE ${identifier(parent)} WITH (FORCE)`);
  rmSync(place, { recursive: true, force: true });
}

/** Writes down whose it is and where its database is, which is no secret. */
const agent = `printf '%s-%s %s\\n' "$MULTIRUN_RUN" "$MULTIRUN_NAMESPACE" "$(printf %s "$DATABASE_URL" | sed 's/.*:\\([0-9]*\\)\\/.*/\\1/')" > where.txt`;

function wrongUrls(out: string, neon: NeonEmulator): number {
  const found = ["runs", "attempts"].flatMap((folder) => {
    const path = join(out, folder);
    return existsSync(path) ? readdirSync(path).map((name) => join(path, name, "patch.diff")) : [];
  });
  return found.filter((path) => {
    if (!existsSync(path)) return false;
    const [, run, namespace = "", port] = /^\+(r\d+)-(\S+) (\d+)$/m.exec(readFileSync(path, "utf8")) ?? [];
    if (run === undefined) return false;
    const attempt = /-(r\d+-\d+)$/.exec(namespace)?.[1];
    return !neon.state.ports.get(Number(port))?.endsWith(`/${attempt}`);
  }).length;
}

function makeRepo(place: string, neon: NeonEmulator): string {
  const repo = join(place, "repo");
  mkdirSync(join(repo, ".github"), { recursive: true });
  const database = { provider: "neon", project: neon.project, parent: "main", database: "app", role: "app_owner" };
  writeFileSync(join(repo, ".github", "multirun.yml"), JSON.stringify({ database }));
  writeFileSync(join(repo, "app.txt"), "one\n");
  writeFileSync(join(place, "task.md"), "Do it.\n");
  writeFileSync(join(place, "seed.sql"), "CREATE TABLE notes (id int);\n");
  const git = (...args: string[]) => execFileSync("git", ["-C", repo, ...args], { stdio: "pipe" });
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "user.name=Chaos", "-c", "user.email=chaos@example.com", "commit", "--quiet", "--message=base");
  return repo;
}

/** @param killAt lines of the ledger after which it is killed */
async function start(
  place: string,
  neon: NeonEmulator,
  args: string[],
  killAt: number | null,
): Promise<{ killed: boolean; said: string }> {
  const { PATH } = process.env;
  const env = { PATH, HOME: place, TMPDIR: join(place, "tmp"), NEON_API_KEY: neon.apiKey, NEON_API_URL: neon.url };
  const child = spawn(process.execPath, [join("dist", "cli.js"), ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
  const ledger = join(place, "out", "ledger.jsonl");
  let killed = false;
  const watch = setInterval(() => {
    if (killAt === null || killed || !existsSync(ledger)) return;
    if (readFileSync(ledger, "utf8").split("\n").length > killAt) killed = child.kill("SIGKILL");
  }, 5);
  await new Promise((resolve) => child.on("close", resolve));
  clearInterval(watch);
  return { killed, said };
}

function isIn(secret: string, folder: string): boolean {
  if (!existsSync(folder)) return false;
  try {
    execFileSync("grep", ["-rqaF", "-f", "-", folder], { input: secret });
    return true;
  } catch {
    return false;
  }
}

async function fingerprint(site: Site, database: string): Promise<string> {
  const sql = `SELECT (SELECT string_agg(relname || relkind::text, ',' ORDER BY relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace) AS objects,
    (SELECT string_agg(id::text, ',') FROM users) AS rows, (SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = current_database()) AS comment`;
  return JSON.stringify((await asAdmin(site, sql, database)).rows);
}

function asAdmin(site: Site, sql: string, database = "postgres"): Promise<{ rows: unknown[] }> {
  return withClient(toUrl({ ...site.admin, database }), {}, (client) => client.query(sql));
}
