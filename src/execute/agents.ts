import type { AgentName } from "../model/agent.js";
import { badInput } from "../model/error.js";
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

/**
 * What of the caller's environment lets an agent log in by itself, in direct mode.
 * @throws MultirunError `bad_input` where nothing does
 */
export function loginOf(
  { name, logins }: Pick<AgentAdapter, "name" | "logins">,
  caller: Readonly<Record<string, string | undefined>>,
): Record<string, Secret> {
  const found = logins.flatMap((variable): [string, Secret][] => {
    const value = caller[variable];
    return value ? [[variable, new Secret(value)]] : [];
  });
  if (found.length > 0) return Object.fromEntries(found);
  throw badInput(`agent "${name}" cannot log in by itself: no login is set`, `Set one of ${logins.join(", ")}.`);
}
