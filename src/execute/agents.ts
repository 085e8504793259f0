import type { AgentName } from "../model/agent.js";
import { Secret } from "../model/secret.js";
import type { AgentAdapter } from "./agents/adapter.js";
import { claude } from "./agents/claude.js";
import { codex } from "./agents/codex.js";
import { gemini } from "./agents/gemini.js";
import { opencode } from "./agents/opencode.js";

const adapters: Record<AgentName, AgentAdapter> = { claude, codex, gemini, opencode };

/** The adapter of an agent; undefined for one that only a command line of the user's can run. */
export function adapterOf(name: string): AgentAdapter | undefined {
  return Object.values(adapters).find((each) => each.name === name);
}

/** What of the caller's environment lets an agent log in by itself, in direct mode. Empty where nothing does. */
export function loginOf(
  { logins }: Pick<AgentAdapter, "logins">,
  caller: Readonly<Record<string, string | undefined>>,
): Record<string, Secret> {
  return Object.fromEntries(logins.flatMap((name) => (caller[name] ? [[name, new Secret(caller[name])]] : [])));
}
