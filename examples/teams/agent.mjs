#!/usr/bin/env node
/**
 * A scripted agent for the bundled demo. It thinks nothing: it replays one of several prepared implementations of task.md,
 * chosen by seed and run. The edits and the migration are real.
 *
 *     MULTIRUN_RUN=r01 DATABASE_URL=… node agent.mjs --seed 1 --runs 10 < task.md
 */
import { access } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { choices } from "./choices.mjs";

const say = (line) => process.stdout.write(`${line}\n`);

function wholeNumber(flag, value, least, most) {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new Error(`--${flag} ${value}: must be a whole number from ${least} to ${most}`);
  }
  return number;
}

/** @returns {import("./choices.mjs").Choice} */
function ownChoice() {
  const { values } = parseArgs({
    options: { seed: { type: "string", default: "1" }, runs: { type: "string", default: "10" } },
  });
  const runs = wholeNumber("runs", values.runs, 1, 256);
  const all = choices(wholeNumber("seed", values.seed, 0, Number.MAX_SAFE_INTEGER), runs);
  const choice = all.find((each) => each.run === process.env.MULTIRUN_RUN);
  if (choice === undefined) {
    throw new Error(
      `MULTIRUN_RUN is ${process.env.MULTIRUN_RUN ?? "not set"}: must be one of r01 to ${all.at(-1).run}`,
    );
  }
  return choice;
}

async function main() {
  const choice = ownChoice();
  const databaseUrl = process.env.DATABASE_URL;
  if (!databaseUrl) {
    throw new Error("DATABASE_URL is not set: this agent migrates a real database");
  }
  await access("src/store.js").catch(() => {
    throw new Error(`${process.cwd()} holds no src/store.js: this agent only knows the app in examples/teams/app`);
  });
  say(`scripted agent, ${choice.run}: replays prepared edits, no model`);
  const task = await text(process.stdin);
  say(`read the task: ${task.trim().split(/\s+/).length} words`);

  // Loaded only now: pg is the slow part of the start.
  const { addTeams, addTests, listTeamProjects, migrate, openProjectsToTeams } = await import(
    "./implementations/steps.mjs"
  );
  say(`wrote and ran ${await migrate(choice, databaseUrl)}`);
  say(`edited ${await openProjectsToTeams(choice)}: createProject takes a team`);
  if (choice.role === "hangs") {
    say("waiting for an answer that never comes");
    setInterval(() => {}, 2 ** 30);
    return;
  }
  say(`edited ${await listTeamProjects(choice)}: listProjects knows teams`);
  say(`wrote ${await addTeams(choice)}`);
  say(`wrote ${await addTests(choice)}`);
  say("done");
}

main().catch((error) => {
  process.stderr.write(`scripted agent: ${error.message}\n`);
  process.exitCode = 1;
});
