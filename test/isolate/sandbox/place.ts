import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { agentEnvironment } from "../../../src/execute/environment.js";
import { runProgram } from "../../../src/execute/program.js";
import { createNetwork, type RunNetwork } from "../../../src/isolate/network/network.js";
import { probeSandbox } from "../../../src/isolate/sandbox/probe.js";
import { createSandbox } from "../../../src/isolate/sandbox/sandbox.js";
import type { Workspace } from "../../../src/isolate/workspace/workspace.js";
import type { ProgramEnd } from "../../../src/model/record.js";
import type { Secret } from "../../../src/model/secret.js";
import { createRepository, type Repository, temporaryFolder } from "../../support/repository.js";
import { experiment, holder, openWorkspaces } from "../../support/workspace.js";

export const path = process.env["PATH"] ?? "";
const probe = await probeSandbox(path);

/** For `test.skipIf`: true where this machine makes no sandbox, unless CI says that it must. */
export const withoutSandbox = !probe.available && process.env["MULTIRUN_TEST_SANDBOX"] !== "required";
if (withoutSandbox && !probe.available) process.stderr.write(`skipped, no sandbox: ${probe.reason}\n`);

export interface Place {
  repository: Repository;
  /** Stands for the user's home folder. */
  home: string;
  workspace: Workspace;
  sibling: Workspace;
  network: RunNetwork | null;
  /** Runs a line for the shell in the sandbox of the workspace, and gives back what it printed. */
  run(line: string, more?: Partial<Parameters<typeof runProgram>[0]>): Promise<{ end: ProgramEnd; text: string }>;
}

/** A repository, two runs of an experiment, and a sandbox around the first. */
export async function openPlace({
  expose = [],
  searchPath = path,
  home = join(temporaryFolder(), "user"),
  commands = [],
  allow = null,
  database,
}: {
  expose?: string[];
  searchPath?: string;
  home?: string;
  commands?: string[];
  /** `network.allow`; null shares the machine's network. */
  allow?: string[] | null;
  database?: Secret;
} = {}): Promise<Place> {
  const repository = createRepository({ "a.txt": "a\n" });
  const { workspaces, work } = await openWorkspaces(repository.path, repository.git("rev-parse", "HEAD"));
  const [workspace, sibling] = [await workspaces.acquire(holder("r01")), await workspaces.acquire(holder("r02"))];
  mkdirSync(home, { recursive: true });
  const sandbox = createSandbox("bwrap", {
    path: searchPath,
    home,
    hidden: [repository.path, work],
    commands,
    expose,
  });
  const network = await createNetwork({ allow, folder: join(work, "network") }).around(holder("r01"), database);
  onTestFinished(() => network?.close());
  const wrap = await sandbox.around(workspace, [], network?.sandbox);
  let count = 0;
  return {
    repository,
    home,
    workspace,
    sibling,
    network,
    async run(line, more) {
      const out = temporaryFolder();
      const stdout = join(out, `${++count}.log`);
      const end = await runProgram({
        program: { shell: line },
        wrap,
        cwd: workspace.repo,
        environment: {
          ...agentEnvironment({
            caller: { PATH: searchPath },
            holder: { ...holder("r01"), experiment },
            paths: { ...workspace, out },
            portBase: 20_000,
            deadline: Date.now() + 60_000,
          }),
          ...network?.environment,
        },
        output: { stdout },
        secrets: [],
        timeoutMs: 60_000,
        graceMs: 2_000,
        ...more,
      });
      return { end, text: readFileSync(stdout, "utf8") };
    },
  };
}
