import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import type { TestProject } from "vitest/node";
import { type AgentName, agentNames } from "../../src/model/agent.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Where each agent's program lies; undefined for one that is left out. */
    programs: Partial<Record<AgentName, string>>;
  }
}

/** The versions these tests were last seen to pass with. */
const packages: Record<AgentName, string> = {
  claude: "@anthropic-ai/claude-code@2.1.332",
  codex: "@openai/codex@0.171.0",
  gemini: "@google/gemini-cli@0.61.0",
  opencode: "opencode-ai@1.18.33",
};

/**
 * Installs the agents into a folder of their own. MULTIRUN_TEST_AGENTS names some of them, as `claude,codex`;
 * MULTIRUN_AGENTS_FOLDER a folder to keep them in for the next time.
 */
export default async function install(project: TestProject): Promise<() => Promise<void>> {
  const kept = process.env["MULTIRUN_AGENTS_FOLDER"];
  const folder = kept ?? (await mkdtemp(join(tmpdir(), "multirun-agents-")));
  const named = process.env["MULTIRUN_TEST_AGENTS"]?.split(",");
  const wanted = agentNames.filter((name) => named?.includes(name) ?? true);
  if (named && wanted.length < named.length) throw new Error(`MULTIRUN_TEST_AGENTS: ${named} are not all agents`);
  const programs = await Promise.all(wanted.map(async (name) => [name, await installed(name, folder)] as const));
  project.provide("programs", Object.fromEntries(programs));
  return async () => {
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  };
}

async function installed(name: AgentName, folder: string): Promise<string> {
  const prefix = join(folder, packages[name].replace(/^.*\//, ""));
  const programs = join(prefix, "node_modules", ".bin");
  const flags = ["--silent", "--no-save", "--no-package-lock", "--no-audit", "--no-fund"];
  if (!existsSync(join(programs, name))) await execa("npm", ["install", ...flags, "--prefix", prefix, packages[name]]);
  return programs;
}
