import { execa } from "execa";
import type { RunArtifacts } from "../src/model/fact.js";
import { readCodeOf } from "../src/pipeline/code.js";
import { buildReport } from "../src/pipeline/report.js";
import { experimentOf } from "../test/support/report.js";
import { run as recorded } from "../test/support/runs.js";
import { type Amount, madeRuns } from "./code/made-runs.js";

const usual: Amount = { runs: 50, files: 200, functions: 0, build: 0 };
const small: Amount = { runs: 10, files: 50, functions: 0, build: 0 };
/** What one figure grows along, everything else small. */
const growing: Amount[] = [
  ...[10, 20, 40, 80].map((runs) => ({ ...small, runs })),
  ...[50, 100, 200, 400].map((files) => ({ ...small, files })),
  ...[50, 100, 200, 400].map((functions) => ({ ...small, functions })),
];
const bars = { cpuMs: 3_000, peakMb: 500, buildRatio: 1.2 };

/**
 * Code decisions against runs, changed lines and new functions: a program for each cell, which has loaded nothing before,
 * so that grammars and compiling count. Time is processor time, as others may use the machine.
 */
export async function run(args: readonly string[] = []): Promise<Record<string, unknown>> {
  const [runs, files, functions, build] = args.map(Number);
  if (runs !== undefined && files !== undefined)
    return cell({ runs, files, functions: functions ?? 0, build: build ?? 0 });
  for (const amount of growing) console.log(JSON.stringify(await cellOf(amount)));
  const whole = await cellOf(usual);
  const relevant = await cellOf({ ...small, runs: 2 });
  const withBuild = await cellOf({ ...small, runs: 2, build: 900_000 });
  const figures = {
    cpuMs: Number(whole["cpuMs"]),
    peakMb: Number(whole["peakMb"]),
    buildRatio: Math.round((100 * Number(withBuild["cpuMs"])) / Number(relevant["cpuMs"])) / 100,
  };
  const missed = Object.entries(bars).flatMap(([name, most]) =>
    figures[name as keyof typeof bars] <= most ? [] : [name],
  );
  return { name: "code", ...figures, whole, bars, missed };
}

async function cellOf({ runs, files, functions, build }: Amount): Promise<Record<string, unknown>> {
  const args = [process.argv[1] ?? "", "code", `${runs}`, `${files}`, `${functions}`, `${build}`];
  const { stdout } = await execa(process.execPath, args);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}");
}

async function cell(amount: Amount): Promise<Record<string, unknown>> {
  const { base, patches } = madeRuns(amount);
  const runs = patches.map((patch, at): RunArtifacts => ({ ...recorded(at + 1, { files: [...base.keys()] }), patch }));
  const artifacts = { schema: null, checks: null, files: base };
  const before = process.cpuUsage();
  const begun = performance.now();
  const code = await readCodeOf(runs, artifacts);
  const readMs = cpuMs(before);
  const report = buildReport({
    experiment: experimentOf(amount.runs),
    runs,
    base: artifacts,
    code,
    startedAt: "2026-03-01T10:00:00.000Z",
    finishedAt: "2026-03-01T10:00:00.000Z",
    resources: { acquired: 0, released: 0, leaked: [], kept: [] },
  });
  return {
    ...amount,
    changedLines: patches[0]?.split("\n").filter((line) => /^[+-](?![+-])/.test(line)).length,
    cpuMs: cpuMs(before),
    readMs,
    ms: Math.round(performance.now() - begun),
    peakMb: Math.round((process.resourceUsage().maxRSS * 1024) / 1_000_000),
    decisions: report.decisions.length,
  };
}

function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / 1000);
}
