import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { endProcesses } from "../../src/clients/end-processes.js";
import { listMarked, type MarkedProcess } from "../../src/clients/processes.js";
import type { LedgerLine } from "../../src/model/ledger.js";
import type { Report } from "../../src/model/report.js";

/** The bundle users get, not the source. */
const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
}

/** A place where experiments of one test happen: nothing of it is anywhere else, so that what is left can be counted. */
export interface Sandbox {
  folder: string;
  /** TMPDIR of the commands: where work folders go. */
  temporary: string;
  repo: string;
  /** Where `experiment` puts what it finds. */
  out: string;
  /** `multirun run` of a command agent on the repo, with `--json`. */
  experiment(command: string, options?: { runs?: number; task?: string; flags?: string[] }): Running;
  /** Writes a file beside the repo; its path. */
  write(name: string, content: string): string;
  start(...args: string[]): Running;
  run(...args: string[]): Promise<Ended>;
  /** Work folders and marked processes that are there now. */
  left(): string[];
}

/** A repo of two files and one commit. */
export function sandbox(environment: Record<string, string> = {}): Sandbox {
  const folder = mkdtempSync(join(tmpdir(), "multirun-e2e-"));
  // Where root runs the tests, the server runs as another user, who must get through.
  chmodSync(folder, 0o755);
  const repo = join(folder, "repo");
  const temporary = join(folder, "tmp");
  execFileSync("mkdir", ["-m", "755", repo, temporary]);
  const git = (...args: string[]) => execFileSync("git", ["-C", repo, ...args], { stdio: "pipe" });
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(join(repo, "app.txt"), "one\n");
  writeFileSync(join(repo, "other.txt"), "two\n");
  git("add", "--all");
  git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message=base");
  const start = (...args: string[]): Running => launch(args, { cwd: folder, temporary, environment });
  const write = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const out = join(folder, "out");
  const experiment: Sandbox["experiment"] = (command, { runs = 1, task = "Do it.\n", flags = [] } = {}) => {
    const agent = ["--task", write("task.md", task), "-n", `${runs}`, "--command", command];
    return start("run", ...agent, "--repo", repo, "--out", out, "--json", ...flags);
  };
  const left = () => [...works(temporary), ...strays(temporary).map((each) => `${each.name} ${each.pid}`)];
  onTestFinished(async () => {
    await endProcesses(() => strays(temporary), { graceMs: 0 });
    execFileSync("chmod", ["-R", "u+rwX", folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    temporary,
    repo,
    out,
    experiment,
    write,
    start,
    run: (...args) => start(...args).ended,
    left,
  };
}

interface Place {
  cwd: string;
  temporary: string;
  environment: Record<string, string>;
}

function launch(args: string[], { cwd, temporary, environment }: Place): Running {
  const env = { PATH: process.env["PATH"], ...environment, HOME: cwd, TMPDIR: temporary, CANARY: "sk-canary-secret" };
  const child = spawn(process.execPath, [cli, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].on("data", (chunk) => (said[name] += chunk));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...said }));
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, ended };
}

function works(temporary: string): string[] {
  return readdirSync(temporary).filter((name) => name.startsWith("multirun-"));
}

/** Marked processes that work below this folder; other tests have their own. */
function strays(temporary: string): MarkedProcess[] {
  return listMarked({}).filter((each) => {
    try {
      return readFileSync(`/proc/${each.pid}/environ`, "utf8").includes(temporary) || mentions(each.pid, temporary);
    } catch {
      return false;
    }
  });
}

function mentions(pid: number, text: string): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
}

/** The report a command printed. */
export function reportIn({ stdout, stderr, code }: Ended): Report {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`no JSON on stdout (exit code ${code}): ${stdout}\n${stderr}`);
  }
}

/** All whole lines of an experiment's ledger so far. */
export function ledgerOf(out: string): LedgerLine[] {
  const path = join(out, "ledger.jsonl");
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.slice(0, -1).flatMap((line) => (line.startsWith("{") && line.endsWith("}") ? [JSON.parse(line)] : []));
}

/** Waits until something is so; fails where it never gets so. */
export async function until(what: string, check: () => boolean, ms = 30_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!check()) {
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
