import { execa } from "execa";
import { cli } from "./command.js";

const rounds = 15;

/** `multirun --help` against `node -e 0`, alternating; medians in milliseconds. */
export async function run(): Promise<Record<string, unknown>> {
  const help: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    help.push(await time([cli, "--help"]));
    bare.push(await time(["-e", "0"]));
  }
  const [ms, baselineMs] = [median(help), median(bare)];
  return {
    name: "start",
    ratio: Math.round((100 * ms) / baselineMs) / 100,
    ms: Math.round(ms),
    baselineMs: Math.round(baselineMs),
  };
}

async function time(args: string[]): Promise<number> {
  const begun = performance.now();
  await execa(process.execPath, args);
  return performance.now() - begun;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
