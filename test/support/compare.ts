import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createGit } from "../../src/clients/git.js";
import { removeTree } from "../../src/clients/remove.js";
import type { Deps } from "../../src/model/deps.js";
import { testDeps } from "./experiment.js";
import { openFolder } from "./postgres.js";

/** What a comparison needs: a folder with the runs' files, and a temporary folder in which nothing may be left. */
export interface Bench {
  deps: Deps;
  from: string;
  temporary: string;
  out: string;
  cancel: AbortController;
}

export function compareDeps(): Deps {
  return { ...testDeps(), git: createGit(process.env["PATH"] ?? "/usr/bin:/bin") };
}

/** A folder with these files. */
export async function benchOf(files: Record<string, string | Uint8Array>): Promise<Bench> {
  const folder = await openFolder();
  onTestFinished(() => removeTree(folder));
  const [from, temporary] = [join(folder, "runs"), join(folder, "tmp")];
  await mkdir(from);
  await mkdir(temporary, { mode: 0o711 });
  for (const [name, content] of Object.entries(files)) await writeFile(join(from, name), content);
  return { deps: compareDeps(), from, temporary, out: join(folder, "out"), cancel: new AbortController() };
}
