import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { experimentSchema } from "../src/model/experiment.js";
import { bareLoop } from "./bare-loop.js";
import { makeProject, measure, withFolder } from "./command.js";

const agents = 10;
const sleepSeconds = 5;
/** Turn and turn about; the middle one counts, as other work on the machine comes and goes. */
const rounds = 3;

/**
 * What an experiment costs beside the agents' own time: ten agents that sleep, all at once, against a bare loop that
 * does the same clones, the same CREATE DATABASE … TEMPLATE and the same sleeps. The loop starts the same embedded
 * server and makes the same seeded template, as it needs both; `ratioServerUp` leaves that out of the loop's time.
 */
export async function run(): Promise<Record<string, unknown>> {
  const all: Round[] = [];
  for (let round = 0; round < rounds; round++) all.push(await withFolder(oneRound));
  const middle = (of: (round: Round) => number) =>
    all.map(of).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
  return {
    name: "overhead",
    ratio: twoDigits(middle((each) => each.ms / (each.startMs + each.loopMs))),
    ratioServerUp: twoDigits(middle((each) => each.ms / each.loopMs)),
    rounds: all.map((each) => twoDigits(each.ms / (each.startMs + each.loopMs))),
    ms: Math.round(middle((each) => each.ms)),
    baselineMs: Math.round(middle((each) => each.startMs + each.loopMs)),
    serverStartMs: Math.round(middle((each) => each.startMs)),
    peakMb: Math.max(...all.map((each) => each.peakMb)),
  };
}

interface Round {
  ms: number;
  peakMb: number;
  startMs: number;
  loopMs: number;
}

async function oneRound(folder: string): Promise<Round> {
  const { repo, task, seed } = await makeProject(folder);
  const out = join(folder, "out");
  const flags = ["--database", "embedded", "--seed", seed, "--command", `sleep ${sleepSeconds}`];
  const ours = await measure(
    ["run", "--task", task, "-n", `${agents}`, ...flags, "--repo", repo, "--out", out],
    folder,
  );
  const plan = experimentSchema.parse(JSON.parse(await readFile(join(out, "experiment.json"), "utf8")));
  return { ...ours, ...(await bareLoop({ plan, folder, repo, agents, sleepSeconds })) };
}

function twoDigits(value: number): number {
  return Math.round(value * 100) / 100;
}
