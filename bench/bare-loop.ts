import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { createDeps } from "../src/entry/deps.js";
import { createDatabases } from "../src/isolate/database/database.js";
import type { Experiment } from "../src/model/experiment.js";

export interface LoopOptions {
  plan: Experiment;
  folder: string;
  repo: string;
  agents: number;
  sleepSeconds: number;
}

/**
 * What anyone would write without multirun: for each agent a shared clone, a database from a template and the agent, all
 * at once. The embedded server and the seeded template it needs are made first and timed apart.
 */
export async function bareLoop(options: LoopOptions): Promise<{ startMs: number; loopMs: number }> {
  const work = join(options.folder, "multirun-loop");
  await mkdir(work, { mode: 0o711 });
  const experiment = { ...options.plan, work };
  const provider = createDatabases({ experiment, deps: createDeps() });
  const holder = { experiment: experiment.id, run: "base", attempt: 1 } as const;
  try {
    let template = "";
    const startMs = await time(async () => {
      await provider.server?.acquire(holder);
      template = (await provider.databases.acquire(holder)).name;
      await provider.seal();
    });
    const { port, password } = JSON.parse(await readFile(join(work, "postgres.json"), "utf8"));
    const admin = { host: "127.0.0.1", port, password, user: "multirun", database: "postgres" };
    const loopMs = await time(async () => {
      await Promise.all(Array.from({ length: options.agents }, (_, index) => one(admin, template, index, options)));
    });
    return { startMs, loopMs };
  } finally {
    await provider.server?.release(holder);
  }
}

async function one(
  admin: pg.ClientConfig,
  template: string,
  index: number,
  { repo, folder, sleepSeconds }: LoopOptions,
): Promise<void> {
  await execa("git", ["clone", "--quiet", "--shared", repo, join(folder, `loop-${index}`)]);
  const client = new pg.Client(admin);
  await client.connect();
  await client.query(`CREATE DATABASE loop_${index} TEMPLATE "${template}"`);
  await client.end();
  await execa("sleep", [String(sleepSeconds)]);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
