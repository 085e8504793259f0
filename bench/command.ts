import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";

/** The built command, beside the bundled bench. */
export const cli = join(process.cwd(), "dist", "cli.js");

/** A folder for the length of one measurement. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  // Where root measures, the server runs as another user, who must get through.
  await chmod(folder, 0o711);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A small repo with one commit and a task beside it. */
export async function makeProject(folder: string): Promise<{ repo: string; task: string; seed: string }> {
  const repo = join(folder, "repo");
  const git = (...args: string[]) => execa("git", ["-C", repo, ...args]);
  await execa("git", ["init", "--quiet", repo]);
  for (let file = 0; file < 50; file++) await writeFile(join(repo, `file-${file}.txt`), `line\n`.repeat(100));
  await git("add", "--all");
  await git("-c", "user.name=bench", "-c", "user.email=bench@bench.invalid", "commit", "--quiet", "--message=base");
  const task = join(folder, "task.md");
  await writeFile(task, "Wait.\n");
  const seed = join(folder, "seed.sql");
  await writeFile(
    seed,
    "CREATE TABLE notes (id int PRIMARY KEY, body text NOT NULL);\nINSERT INTO notes VALUES (1, 'one');\n",
  );
  return { repo, task, seed };
}

export interface Measured {
  ms: number;
  /** Highest resident size of the orchestrator itself, without its children, in MiB. */
  peakMb: number;
}

/** Runs the command and watches its memory; throws where it ends with anything but 0. */
export async function measure(args: readonly string[], cwd: string): Promise<Measured> {
  const begun = performance.now();
  const child = spawn(process.execPath, [cli, ...args], { cwd, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000);
  });
  let peakKb = 0;
  const timer = setInterval(() => void readPeak(child.pid).then((kb) => (peakKb = Math.max(peakKb, kb))), 50);
  const code = await new Promise<number | null>((resolve) => child.on("exit", resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`multirun ${args.join(" ")} ended with ${code}: ${said}`);
  return { ms: performance.now() - begun, peakMb: Math.round(peakKb / 1024) };
}

/** The kernel's own high-water mark, in KiB; 0 once the process is gone. */
async function readPeak(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
}
