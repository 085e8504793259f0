import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { capturePatch } from "../src/capture/patch/patch.js";
import { holder, median, timed, withRepository } from "./repository.js";

const files = 50_000;
const changes = 20;
const rounds = 9;

/**
 * The patch of 20 changed files in a large workspace, proof included, against bare `git status` and `git diff` in the
 * same folder. Target: ratio ≤ 1.5.
 */
export function run(): Promise<Record<string, unknown>> {
  return withRepository(files, async ({ git, base, workspaces, plain }) => {
    const workspace = await workspaces.acquire(holder);
    const paths = (await plain(["ls-files"], workspace.repo)).split("\n");
    for (let index = 0; index < changes; index++) {
      const path = paths[Math.floor((index * paths.length) / changes)];
      if (path !== undefined) await appendFile(join(workspace.repo, path), "export const changed = true;\n");
    }
    const file = join(workspace.tmp, "patch.diff");
    const ours: number[] = [];
    const theirs: number[] = [];
    let captured = 0;
    const capture = async () => {
      ours.push(
        await timed(async () => {
          captured = (await capturePatch({ git, workspace, base, file })).files;
        }),
      );
    };
    const look = async () => {
      theirs.push(
        await timed(async () => {
          await plain(["status"], workspace.repo);
          await plain(["diff", "--binary", "--full-index"], workspace.repo);
        }),
      );
    };
    for (let round = 0; round < rounds; round++) {
      for (const step of round % 2 === 0 ? [look, capture] : [capture, look]) await step();
    }
    if (captured !== changes) throw new Error(`captured ${captured} changed files instead of ${changes}`);
    const ms = Math.round(median(ours));
    const baselineMs = Math.round(median(theirs));
    return { name: "patch", ratio: Number((ms / baselineMs).toFixed(2)), ms, baselineMs, files, changes, rounds };
  });
}
