import { readlinkSync, realpathSync } from "node:fs";
import { endProcesses } from "../../clients/end-processes.js";
import { listMarked, livingProcesses } from "../../clients/processes.js";
import type { ExperimentId } from "../../model/ids.js";

/** What the server's own processes carry as MULTIRUN_RUN. */
export const serverMark = "server";

/**
 * Ends what is left of a server whose first process is gone: a backend at work does not notice, and keeps a new server
 * from starting on the folder; an initdb goes on without whoever started it. Backends overwrite the environment they
 * were started with by their titles, so they are known by the folder they work in. Elsewhere than on Linux nothing is
 * found. The caller holds the server's lease.
 */
export async function endOrphans(data: string, experiment: ExperimentId, work: string): Promise<void> {
  const find = () => {
    const marked = listMarked({ experiment, run: serverMark }).filter((each) => each.work === work);
    const known = new Set(marked.map(({ pid }) => pid));
    const folder = realPath(data);
    const inside = livingProcesses().filter(({ pid }) => !known.has(pid) && folder && folderOf(pid) === folder);
    return [...marked, ...inside];
  };
  await endProcesses(find, { graceMs: 0 });
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // No such folder: nobody is in it.
  }
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // Gone meanwhile, or not ours to look at.
  }
}
