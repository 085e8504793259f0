import { spawn } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

export interface Program {
  /** A real process that runs it; gets `input` as its one argument, in JSON. */
  start(input: object): { pid: number; ended: Promise<{ code: number | null; stdout: string; stderr: string }> };
  remove(): Promise<void>;
}

/** Bundles a TypeScript file of test/support for tests that need more than one process, or must kill one. */
export async function buildProgram(file: string): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), "multirun-program-"));
  const input = fileURLToPath(new URL(file, import.meta.url));
  const bundle = await rolldown({ input, platform: "node", external: [/^[^./]/] });
  await bundle.write({ file: join(folder, "program.mjs"), format: "esm", codeSplitting: false });
  await bundle.close();
  await symlink(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"));
  return {
    start: (input) => start(join(folder, "program.mjs"), JSON.stringify(input)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function start(path: string, argument: string): ReturnType<Program["start"]> {
  const child = spawn(process.execPath, [path, argument], { stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output.stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...output }));
  });
  return { pid: child.pid ?? 0, ended };
}

/** Asks again and again until the answer is yes. */
export async function eventually(question: () => Promise<boolean>, patienceMs = 20_000): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await question()); ) {
    if (Date.now() > deadline) throw new Error(`still no after ${patienceMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
