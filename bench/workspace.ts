import { join } from "node:path";
import { removeTree } from "../src/clients/remove.js";
import { diskBytes, holder, median, timed, withRepository } from "./repository.js";

const files = 50_000;
const rounds = 5;

/**
 * A workspace of a large repository against `git worktree add` of the same commit, in turns, each removed before the next
 * starts. Target: ratio ≤ 1.2.
 */
export function run(): Promise<Record<string, unknown>> {
  return withRepository(files, async ({ path, folder, base, workspaces, plain }) => {
    const ours: number[] = [];
    const theirs: number[] = [];
    let bytes = 0;
    let baselineBytes = 0;
    const worktree = join(folder, "worktree");
    const addWorktree = async () => {
      theirs.push(await timed(() => plain(["worktree", "add", "--quiet", "-b", "bench", worktree, base])));
      baselineBytes = (await diskBytes(worktree)) + (await diskBytes(join(path, ".git/worktrees")));
      await removeTree(worktree);
      await plain(["worktree", "prune"]);
      await plain(["branch", "--quiet", "--delete", "--force", "bench"]);
    };
    const acquire = async () => {
      ours.push(await timed(() => workspaces.acquire(holder)));
      bytes = await diskBytes(workspaces.idFor(holder));
      await workspaces.release(holder);
    };
    for (let round = 0; round < rounds; round++) {
      // Who goes first alternates: what one leaves to be written back to disk slows down the other.
      for (const step of round % 2 === 0 ? [addWorktree, acquire] : [acquire, addWorktree]) await step();
    }
    const ms = Math.round(median(ours));
    const baselineMs = Math.round(median(theirs));
    return {
      name: "workspace",
      ratio: Number((ms / baselineMs).toFixed(2)),
      ms,
      baselineMs,
      files,
      rounds,
      bytes,
      baselineBytes,
    };
  });
}
