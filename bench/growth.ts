import { execa } from "execa";
import { align } from "../src/consensus/align/align.js";
import { namingOf } from "../src/consensus/align/naming.js";
import { findConsensus } from "../src/consensus/consensus.js";
import { readFacts } from "../src/facts/facts.js";
import { rename } from "../src/facts/rename.js";
import { readShapes } from "../src/facts/shapes.js";
import type { BaseArtifacts, RunArtifacts } from "../src/model/fact.js";
import { randomOf } from "../test/support/random.js";
import { reportOf } from "../test/support/report.js";
import { column, id, key, run as recorded, refers, snapshot, table } from "../test/support/runs.js";

const sizes = [10, 50, 250];
const factsPerRun = [100, 1_000];
const bars = { fiftyMs: 1_500, fiftyMb: 300, twoHundredFiftyMs: 30_000 };

/**
 * Time and peak memory of the engine against the number of runs and of facts in each. Every cell is a program of its own,
 * so that one's memory is not another's; memory is the whole program's, what was read and Node itself included.
 */
export async function run(args: readonly string[] = []): Promise<Record<string, unknown>> {
  const [n, facts] = args.map(Number);
  if (n !== undefined && facts !== undefined) return measureCell(n, facts);
  const cells: Record<string, unknown>[] = [];
  for (const facts of factsPerRun) {
    for (const n of sizes) {
      const cell = await cellOf(n, facts);
      console.log(JSON.stringify(cell));
      cells.push(cell);
    }
  }
  const of = (n: number, figure: string) =>
    Number(cells.find((each) => each["runs"] === n && each["asked"] === 1_000)?.[figure]);
  const figures = { fiftyMs: of(50, "ms"), fiftyMb: of(50, "peakMb"), twoHundredFiftyMs: of(250, "ms") };
  const missed = Object.entries(bars).flatMap(([name, most]) =>
    figures[name as keyof typeof bars] <= most ? [] : [name],
  );
  return { name: "growth", ...figures, twoHundredFiftyMb: of(250, "peakMb"), bars, missed };
}

/** Nobody waits longer for one cell; what takes longer has no time, and misses its bar. */
const patienceMs = 5 * 60_000;

async function cellOf(n: number, facts: number): Promise<Record<string, unknown>> {
  const args = [process.argv[1] ?? "", "growth", `${n}`, `${facts}`];
  const { stdout, timedOut, failed } = await execa(process.execPath, args, { timeout: patienceMs, reject: false });
  if (timedOut) return { runs: n, asked: facts, ms: `more than ${patienceMs}` };
  if (failed) throw new Error(`the cell of ${n} runs and ${facts} facts failed`);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}");
}

function measureCell(n: number, asked: number): Record<string, unknown> {
  const { runs, base } = runsWith(n, asked);
  const before = peakMb();
  // First of all, in a program that has done nothing yet: so it is for whoever calls the command.
  const idle = process.cpuUsage();
  const begun = performance.now();
  const report = reportOf(runs, base);
  const ms = Math.round(performance.now() - begun);
  const { user, system } = process.cpuUsage(idle);
  const peak = peakMb();
  const timed = stopwatch();
  const shapes = timed("shapes", () => readShapes(runs, base));
  const alignment = timed("align", () => align(shapes));
  const renamed = timed("rename", () => rename(runs, base, alignment.renaming));
  const facts = timed("facts", () => readFacts(renamed, base));
  const counted = renamed.map(({ id, record }, at) => ({ id, record, facts: facts[at] ?? null }));
  timed("consensus", () => findConsensus(counted));
  timed("naming", () => namingOf(alignment, shapes));
  const stages = timed.times;
  return {
    runs: n,
    asked,
    facts: Math.round(facts.reduce((sum, each) => sum + each.facts.length, 0) / n),
    decisions: report.decisions.length,
    ms,
    // Of all threads; what others take of the machine does not count.
    cpuMs: Math.round((user + system) / 1000),
    stages,
    beforeMb: before,
    peakMb: peak,
  };
}

function stopwatch() {
  const times: Record<string, number> = {};
  const timed = <T>(name: string, work: () => T): T => {
    const begun = performance.now();
    const result = work();
    times[name] = Math.round(performance.now() - begun);
    return result;
  };
  return Object.assign(timed, { times });
}

/** The most memory this process has ever had, in MB. */
function peakMb(): number {
  return Math.round((process.resourceUsage().maxRSS * 1024) / 1_000_000);
}

const nouns =
  "invoice project ticket comment label plan seat device event report folder rule alert token quota branch review payment address coupon session webhook policy theme locale".split(
    " ",
  );

/** Tables of eight columns in runs that name some of them otherwise and choose at random; about 52 facts a table. */
function runsWith(n: number, facts: number): { runs: RunArtifacts[]; base: BaseArtifacts } {
  const random = randomOf(5);
  const users = table("users", { columns: [id(), column("email", "text")], constraints: [key("id")] });
  const count = Math.max(1, Math.round(facts / factsOfTable));
  const runs = Array.from({ length: n }, (_, at) => {
    const tables = Array.from({ length: count }, (_, which) => madeTable(which, at + 1, random));
    return recorded(at + 1, { schema: snapshot([users, ...tables]) });
  });
  return { runs, base: { schema: snapshot([users]), checks: null } };
}

const factsOfTable = 48;

function madeTable(which: number, salt: number, random: () => number) {
  const noun = (at: number) => nouns[at % nouns.length] ?? "thing";
  const name = noun(which) + (random() < 0.2 ? "_records" : "s");
  const columns = Array.from({ length: 8 }, (_, at) => {
    const type = at % 3 === 0 ? "integer" : at % 3 === 1 ? "text" : "date";
    return column(`${noun(which * 3 + at)}${random() < 0.15 ? "_ref" : "_code"}`, type, { notNull: random() < 0.8 });
  });
  return table(name, {
    salt,
    columns: [id(), ...columns, column("user_id", "integer")],
    constraints: [key("id"), refers("user_id", "users", random() < 0.7 ? "cascade" : "no action")],
    rowSecurity: random() < 0.5 ? "on" : "off",
  });
}
