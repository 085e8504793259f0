import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../src/execute/program.js";

const outputBytes = 500_000_000;
const rounds = 5;
const environment = { PATH: "/usr/local/bin:/usr/bin:/bin" };
const producer = `head -c ${outputBytes} /dev/zero`;
const megabyte = 1_000_000;

/**
 * An agent that prints 500 MB: how much longer it takes than the same program in front of `cat > /dev/null`, turn and
 * turn about, and by how much our memory grows over that of a small output. The last line is JSON for others to check.
 */
export async function run(): Promise<Record<string, unknown>> {
  const folder = await mkdtemp(join(tmpdir(), "multirun-bench-output-"));
  try {
    await supervised("head -c 2000000 /dev/zero", join(folder, "warm"));
    await bare();
    const peakBefore = peakBytes();
    const pairs: { ours: number; bare: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      pairs.push({ ours: await supervised(producer, join(folder, `${round}`)), bare: await bare() });
    }
    const figures = {
      name: "output",
      megabytes: outputBytes / megabyte,
      ms: Math.round(median(pairs.map((pair) => pair.ours))),
      bareMs: Math.round(median(pairs.map((pair) => pair.bare))),
      ratio: round2(median(pairs.map((pair) => pair.ours / pair.bare))),
      grownMb: round2((peakBytes() - peakBefore) / megabyte),
      keptBytes: (await stat(join(folder, "0"))).size,
    };
    console.log(
      `${figures.megabytes} MB: ${figures.ms} ms, into cat ${figures.bareMs} ms, grown ${figures.grownMb} MB`,
    );
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function supervised(shell: string, log: string): Promise<number> {
  const begun = performance.now();
  const end = await runProgram({
    program: { shell },
    cwd: tmpdir(),
    environment,
    output: { stdout: log },
    timeoutMs: 120_000,
    graceMs: 1_000,
    secrets: [],
  });
  if (end.exitCode !== 0) throw new Error(`${shell} did not end well: ${JSON.stringify(end)}`);
  return performance.now() - begun;
}

async function bare(): Promise<number> {
  const begun = performance.now();
  const child = spawn("/bin/sh", ["-c", `${producer} | cat > /dev/null`], { env: environment, stdio: "ignore" });
  await once(child, "exit");
  return performance.now() - begun;
}

/** The most memory this process has ever had: no sampling that could miss a peak. */
function peakBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
