import { readFileSync } from "node:fs";
import { join } from "node:path";
import { denialOf } from "../../src/capture/contract.js";
import { capturePatch } from "../../src/capture/patch/patch.js";
import type { Resource } from "../../src/isolate/resource.js";
import { createWork } from "../../src/isolate/work.js";
import { createWorkspaces, type Workspace } from "../../src/isolate/workspace/workspace.js";
import { experimentId, type Holder, runId } from "../../src/model/ids.js";
import type { PatchStats } from "../../src/model/record.js";
import { Secret } from "../../src/model/secret.js";
import { git, gitAt, type Repository, repositoryAt, temporaryFolder } from "./repository.js";

export const experiment = experimentId.parse("swift-otter-1");

export function holder(run: string, attempt = 1): Holder {
  return { experiment, run: run === "base" ? run : runId.parse(run), attempt };
}

export interface Workspaces {
  workspaces: Resource<Workspace>;
  /** Stands for the machine's temporary folder. */
  temporary: string;
  work: string;
  warnings: string[];
}

/** Workspaces of one experiment in a work folder of its own. */
export async function openWorkspaces(repo: string, base: string): Promise<Workspaces> {
  const temporary = temporaryFolder();
  const work = join(temporary, `multirun-${experiment}`);
  const experimentFolder = join(temporary, "out");
  await createWork({ experiment, experimentFolder, work, now: Date.now }).acquire(holder("base"));
  const warnings: string[] = [];
  const warn = (line: string) => void warnings.push(line);
  return { workspaces: createWorkspaces({ git, repo, base, experiment, work, warn }), temporary, work, warnings };
}

export interface Run {
  workspace: Workspace;
  /** The clone the agent works in. */
  agent: Repository;
  capture(limits?: { fileBytes: number }, secrets?: string[]): Promise<PatchStats & { text: string; file: string }>;
  /** The same under a contract that denies paths; `offered` lies in the second file. */
  captureWithout(deny: string[]): Promise<PatchStats & { file: string; offeredFile: string }>;
}

/** A run's workspace, and what will be captured of it. */
export async function openRun(repository: Repository, base = repository.git("rev-parse", "HEAD")): Promise<Run> {
  const { workspaces } = await openWorkspaces(repository.path, base);
  const workspace = await workspaces.acquire(holder("r01"));
  const file = join(workspace.tmp, "patch.diff");
  return {
    workspace,
    agent: repositoryAt(workspace.repo),
    capture: async (limits, values = []) => {
      const secrets = values.map((value) => new Secret(value));
      const stats = await capturePatch({ git, workspace, base, file, secrets, ...(limits ? { limits } : {}) });
      return { ...stats, text: readFileSync(file, "utf8"), file };
    },
    captureWithout: async (deny) => {
      const isDenied = denialOf({ deny });
      if (isDenied === undefined) throw new Error("nothing is denied");
      const offeredFile = join(workspace.tmp, "offered.diff");
      const denial = { isDenied, file: offeredFile };
      return { ...(await capturePatch({ git, workspace, base, file, denial })), file, offeredFile };
    },
  };
}

/** The tree a patch makes of the repository's HEAD, in a fresh clone, by git as a person has it. */
export function treeAfter(repository: Repository, file: string): string {
  const clone = join(temporaryFolder(), "clone");
  gitAt(repository.path, "clone", "--quiet", "--no-local", repository.path, clone);
  if (readFileSync(file).length > 0) gitAt(clone, "apply", "--index", "--binary", file);
  return gitAt(clone, "write-tree");
}

/** The tree of everything in a work tree that is not ignored, by git as a person has it. */
export function treeOf(agent: Repository): string {
  agent.git("add", "--all");
  return agent.git("write-tree");
}
