import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Experiment } from "../../src/model/experiment.js";
import type { Finding } from "../../src/pipeline/sweep.js";
import { type Ended, ledgerOf, type Sandbox, until } from "./cli.js";

/** Agents of all attempts count in one file, which no sandbox would show them. */
export const open = ["--sandbox", "none"];

/** Three runs, one after the other, each long enough in every state to be hit. */
export function begin(place: Sandbox) {
  const seed = place.write("seed.sql", "CREATE TABLE notes (id int PRIMARY KEY);\n");
  const starts = place.write("starts.log", "");
  const command = `echo "$MULTIRUN_RUN" >> ${starts}; sleep 0.5; echo changed > app.txt`;
  const programs = ["--setup", "sleep 0.2", "--check", "sleep 0.3"];
  const flags = ["--parallel", "1", "--database", "embedded", "--seed", seed, ...programs];
  return { running: place.experiment(command, { runs: 3, flags: [...flags, ...open] }), starts };
}

export function planOf(place: Sandbox): Experiment {
  return JSON.parse(readFileSync(join(place.out, "experiment.json"), "utf8"));
}

/** What a sweep said of this place's experiment. */
export function findingOf(place: Sandbox, { stdout }: Ended): Finding | undefined {
  const { id } = planOf(place);
  return JSON.parse(stdout).findings.find((each: Finding) => each.experiment === id);
}

export function isIn(out: string, run: string, state: string): boolean {
  return ledgerOf(out).some((line) => line.run === run && line.event === "state" && line.state === state);
}

/** Kills it when its second run has come so far. */
export async function killAt(place: Sandbox, state: string) {
  return killWhen(place, `r02 is ${state}`, () => isIn(place.out, "r02", state));
}

export async function killWhen(place: Sandbox, what: string, reached: () => boolean) {
  const { running, starts } = begin(place);
  const ended = running.ended.then((each) => {
    if (each.code !== null) throw new Error(`ended by itself with ${each.code}: ${each.stderr}`);
  });
  await Promise.race([until(what, reached), ended]);
  running.child.kill("SIGKILL");
  await ended;
  return { starts };
}
