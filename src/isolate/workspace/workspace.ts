import { cp, lstat, mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { readArtifact, toJson, writeDurably } from "../../clients/files.js";
import { removeTree } from "../../clients/remove.js";
import type { Git } from "../../model/deps.js";
import { type ExperimentId, type Holder, holderName, parseHolderName } from "../../model/ids.js";
import type { Held, Resource } from "../resource.js";
import { listWork } from "../work.js";
import { checkOut } from "./checkout.js";
import { readSource, type Source } from "./source.js";
import { checkOutSubmodules } from "./submodules.js";

/** One attempt's folders. All but `repo`, `home` and `tmp` are the harness's, though an agent of the same user can reach them. */
export interface Workspace {
  folder: string;
  /** The private clone: the agent's current directory. */
  repo: string;
  home: string;
  tmp: string;
  /** The harness's own git directory for `repo`: what an agent does to `repo/.git` changes nothing here. */
  gitDir: string;
  taskFile: string;
  claimsFile: string;
  /** Paths in `repo` of submodules. */
  submodules: string[];
  warnings: string[];
}

export interface WorkspaceOptions {
  git: Git;
  /** Absolute path of the user's repository. It is read and never written. */
  repo: string;
  /** Full sha of the commit, or of a tag that leads to it. */
  base: string;
  experiment: ExperimentId;
  /** The work folder, acquired before. */
  work: string;
  warn: (line: string) => void;
}

const noteSchema = z.strictObject({ submodules: z.array(z.string()), warnings: z.array(z.string()) });

/** Private clones that share the objects of the user's repository and nothing else. */
export function createWorkspaces(options: WorkspaceOptions): Resource<Workspace> {
  const { git, repo, base, work } = options;
  const warned = new Set<string>();
  let reading: Promise<Source> | undefined;
  // Read once for all, also for those that ask at the same moment; a failure may pass.
  const readOnce = () => {
    reading ??= readSource(git, { cwd: repo }, base).catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
  const idFor = (holder: Holder) => join(work, holderName(holder));
  return {
    kind: "workspace",
    idFor,
    acquire: async (holder) => {
      const workspace = layOut(idFor(holder));
      const note = await readNote(workspace);
      if (note) return { ...workspace, ...note };
      const made = await make(git, { workspace, source: await readOnce(), branch: branchOf(holder) });
      for (const line of made.warnings.filter((each) => !warned.has(each))) options.warn(line);
      for (const line of made.warnings) warned.add(line);
      return made;
    },
    release: (holder) => removeTree(idFor(holder)),
    list: () => listWorkspaces(dirname(work)),
  };
}

/** `multirun/<experiment>/<run>`, in the private clone only. */
export function branchOf(holder: Pick<Holder, "experiment" | "run">): string {
  return `multirun/${holder.experiment}/${holder.run}`;
}

function layOut(folder: string): Workspace {
  const at = (name: string) => join(folder, name);
  return {
    folder,
    repo: at("repo"),
    home: at("home"),
    tmp: at("tmp"),
    gitDir: at("git"),
    taskFile: at("task.md"),
    // In a folder that is the agent's, so that it can write the file whatever way it likes.
    claimsFile: join(at("home"), "claims.json"),
    submodules: [],
    warnings: [],
  };
}

async function make(
  git: Git,
  { workspace, source, branch }: { workspace: Workspace; source: Source; branch: string },
): Promise<Workspace> {
  const { folder, repo, home, tmp } = workspace;
  // A folder without a note is what a crash left of an earlier acquire.
  await removeTree(folder);
  await mkdir(folder, { mode: 0o700 });
  try {
    await Promise.all([home, tmp].map((path) => mkdir(path)));
    await checkOut(git, { source, folder: repo, branch });
    const gitDir = join(repo, ".git");
    const { paths, warnings } = await checkOutSubmodules(git, { source, repo, gitDir });
    const made = { ...workspace, submodules: paths, warnings };
    await keepGitDir(made);
    return made;
  } catch (error) {
    await removeTree(folder);
    throw error;
  }
}

/** The harness's git directory is the agent's, copied before there is an agent: one checkout serves both. */
async function keepGitDir({ repo, gitDir, submodules, warnings }: Workspace): Promise<void> {
  const unfinished = `${gitDir}.new`;
  await cp(join(repo, ".git"), unfinished, { recursive: true, preserveTimestamps: true });
  await writeDurably(notePath(unfinished), toJson({ submodules, warnings }));
  await rename(unfinished, gitDir);
}

const notePath = (gitDir: string) => join(gitDir, "multirun.json");

function readNote({ gitDir }: Workspace) {
  return readArtifact(notePath(gitDir), noteSchema, notePath(gitDir));
}

async function listWorkspaces(temporary: string): Promise<Held[]> {
  const found: Held[] = [];
  for (const { path, marker } of await listWork(temporary)) {
    for (const name of (await readdir(path)).sort()) {
      const id = join(path, name);
      const holder = parseHolderName(marker.experiment, name);
      if (holder && (await lstat(id)).isDirectory()) found.push({ kind: "workspace", id, holder });
    }
  }
  return found;
}
