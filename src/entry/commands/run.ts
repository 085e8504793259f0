import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { probeSandbox } from "../../isolate/sandbox/probe.js";
import { chooseSandbox } from "../../isolate/sandbox/sandbox.js";
import type { Config } from "../../model/config.js";
import type { Deps } from "../../model/deps.js";
import { badInput, messageOf } from "../../model/error.js";
import type { ExperimentId } from "../../model/ids.js";
import type { Secret } from "../../model/secret.js";
import { defaultParent } from "../../pipeline/folder.js";
import { keysIn } from "../../pipeline/models.js";
import { startExperiment } from "../../pipeline/start.js";
import { nameExperiment, planExperiment } from "../../plan/plan.js";
import { type Base, pinBase } from "../../plan/repository.js";
import { readSeeds } from "../../plan/seeds.js";
import { readTask, type Task } from "../../plan/task.js";
import { cancelOnSignals, createDeps } from "../deps.js";
import { type RunOptions, settingsOf } from "../options.js";
import { present } from "../present.js";
import { findDatabaseUrl, readRepoConfig } from "../settings.js";

/** `multirun run`: plan, check that it can be done, do it, print the report. */
export async function run(options: RunOptions): Promise<void> {
  const deps = createDeps();
  const cancel = cancelOnSignals();
  const task = readTask(await readTaskText(options.task ?? "-"), options.task ?? "-");
  const base = await pinBase(deps.git, resolve(options.repo ?? "."), options.base ?? "HEAD");
  const config = await readRepoConfig(base.repo);
  const databaseUrl = findDatabaseUrl(deps, config, options.databaseUrl);
  const id = newExperimentId(deps, task);
  await runPlanned({ deps, cancel, id, task, base, config, options, databaseUrl, scripted: false });
}

export interface Planned {
  deps: Deps;
  cancel: AbortController;
  id: ExperimentId;
  task: Task;
  base: Base;
  config: Config;
  options: RunOptions;
  databaseUrl: Secret | null;
  scripted: boolean;
}

/** The part `run` and `demo` share. */
export async function runPlanned(planned: Planned): Promise<void> {
  const { deps, cancel, id, task, base, config, options, databaseUrl, scripted } = planned;
  const probe = await probeSandbox(deps.environment["PATH"] ?? "");
  const experiment = planExperiment({
    task,
    base,
    file: config,
    flags: settingsOf(options),
    arms: { agent: options.agent, model: options.model, prompt: options.prompt },
    readSeeds: (patterns) => readSeeds(patterns, [process.cwd(), base.repo]),
    readPrompt: (path) => readPrompt(path, base.repo),
    now: new Date(deps.now()),
    id,
    work: join(tmpdir(), `multirun-${id}`),
    keep: options.keep === true,
    scripted,
    server: databaseUrl && serverOf(databaseUrl),
    chooseSandbox: (wanted) => chooseSandbox(wanted, probe),
    hasModelKey: Object.keys(keysIn(deps.environment)).length > 0,
  });
  const out = resolve(options.out ?? join(base.repo, defaultParent, id));
  const finished = await startExperiment({
    deps,
    experiment,
    checkoutBytes: base.checkoutBytes,
    out,
    databaseUrl,
    cancel,
  });
  present(finished, options);
}

export function newExperimentId(deps: Deps, { title }: Task): ExperimentId {
  return nameExperiment({ title, now: new Date(deps.now()), nonce: randomBytes(4).toString("hex") });
}

async function readTaskText(path: string): Promise<string> {
  try {
    // 0 is standard input: `--task -`.
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    throw badInput(
      `--task: "${path}" cannot be read: ${messageOf(error)}`,
      "Name a Markdown file, or - for stdin.",
      error,
    );
  }
}

function readPrompt(path: string, repo: string): string {
  try {
    return readFileSync(resolve(repo, path), "utf8");
  } catch (error) {
    throw badInput(`prompt: "${path}" cannot be read: ${messageOf(error)}`, "Name a file relative to the repo.", error);
  }
}

/** `host:port/database`: what may be shown and written down of a URL. */
function serverOf(url: Secret): string {
  try {
    const { hostname, port, pathname } = new URL(url.reveal());
    return `${hostname}:${port || "5432"}${pathname}`;
  } catch {
    throw badInput("--database-url: it is no URL", "Write postgres://user:password@host:5432/database.");
  }
}
