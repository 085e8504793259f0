import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { Git } from "../../model/deps.js";
import { badInput } from "../../model/error.js";
import { defaultParent, projectFolder, refuseUsed } from "../../pipeline/folder.js";
import { pinBase } from "../../plan/repository.js";
import { readTask } from "../../plan/task.js";
import { cancelOnSignals, createDeps } from "../deps.js";
import type { RunOptions } from "../options.js";
import { packageRoot } from "../package.js";
import { newExperimentId, runPlanned } from "./run.js";

/** The scripted agent that waits for ever is ended after this time; the others need a second or two. */
const timeout = "10s";

/** `multirun demo`: the bundled app becomes a repo of its own, scripted agents do its task. */
export async function demo(options: RunOptions): Promise<void> {
  const deps = createDeps();
  const cancel = cancelOnSignals();
  const seed = String(options.seed);
  if (!/^\d{1,9}$/.test(seed)) throw badInput(`--seed: "${seed}" is no whole number`, "Write for example --seed 1.");
  const runs = options.runs ?? "10";
  const example = join(packageRoot(), "examples", "teams");
  const task = readTask(await readFile(join(example, "task.md"), "utf8"), join(example, "task.md"));
  const id = newExperimentId(deps, task);
  const out = resolve(options.out ?? join(defaultParent, id));
  await refuseUsed(out);
  const repo = join(out, projectFolder);
  await makeRepository(deps.git, join(example, "app"), repo);
  const agent = [process.execPath, join(example, "agent.mjs"), "--seed", seed, "--runs", runs];
  // The demo's seed draws the scripts; the database's seeds come from the task.
  const { seed: _, ...rest } = options;
  const modules = dependencies();
  const setup = [`ln -s ${quote(modules)} node_modules`];
  const command = agent.map(quote).join(" ");
  const flags = { ...rest, out, runs, timeout, command, setup, expose: [example, modules] };
  await runPlanned({
    deps,
    cancel,
    id,
    task,
    base: await pinBase(deps.git, repo, "HEAD"),
    config: {},
    options: flags,
    databaseUrl: null,
    scripted: true,
  });
  if (!options.json) process.stdout.write(nextSteps(out));
}

function nextSteps(out: string): string {
  return `
  The agents were scripted; clones, databases, migrations and checks were real.
    ${join(out, "report.md")}
    ${join(out, "runs")}/r01 … patch, schema, rows and checks of each run
  With a real agent, in a repo of yours:
    node ${join(packageRoot(), "dist", "cli.js")} run --task task.md --command "my-agent"
  How the demo works: examples/teams/README.md
`;
}

const identity = ["-c", "user.name=multirun demo", "-c", "user.email=demo@multirun.invalid"];

async function makeRepository(git: Git, app: string, repo: string): Promise<void> {
  await mkdir(repo, { recursive: true });
  await cp(app, repo, { recursive: true, filter: (path) => !path.includes(`${app}/node_modules`) });
  // npm leaves .gitignore files out of packages.
  await writeFile(join(repo, ".gitignore"), "node_modules\n");
  await git.text(["init", "--quiet", "--initial-branch=main"], { cwd: repo });
  await git.text(["add", "--all"], { cwd: repo });
  await git.text([...identity, "commit", "--quiet", "--message=Tally, for one person"], { cwd: repo });
}

/** The app's one dependency is a dependency of ours: a link instead of an install. */
function dependencies(): string {
  return dirname(dirname(createRequire(import.meta.url).resolve("pg/package.json")));
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
