import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * Name, kind, mode, time and content of everything but `.multirun/`, which is ours. Objects without their time: git sets
 * it anew on a shared object that a clone would have written too, so that a garbage collection keeps it.
 */
export function fingerprint(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (path: string): void => {
    for (const name of readdirSync(join(root, path)).sort()) {
      const at = path === "" ? name : `${path}/${name}`;
      if (at === ".multirun") continue;
      const stats = lstatSync(join(root, at));
      if (stats.isDirectory()) walk(at);
      else {
        const content = stats.isSymbolicLink() ? readlinkSync(join(root, at)) : readFileSync(join(root, at));
        const time = at.startsWith(".git/objects/") ? "" : stats.mtimeMs;
        found[at] = `${stats.mode} ${time} ${createHash("sha256").update(content).digest("hex")}`;
      }
    }
  };
  walk("");
  return found;
}
