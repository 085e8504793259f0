import type { ModelAccess } from "../../model/agent.js";
import type { Agent } from "./adapter.js";

/** Any program, as a line of the user's own for the shell. What it prints is not read, what it used is not known. */
export function commandAgent(line: string): Agent {
  return {
    invocation: ({ access }) => ({
      file: "/bin/sh",
      args: ["-c", line],
      environment: access ? accessVariables(access) : {},
      files: [],
    }),
    parser: null,
  };
}

/** The variables by which the makers' own libraries find a base URL and a key. */
function accessVariables({ urls, token }: ModelAccess): Record<string, string> {
  const key = token.reveal();
  return {
    ANTHROPIC_BASE_URL: urls.anthropic,
    ANTHROPIC_API_KEY: key,
    OPENAI_BASE_URL: urls.openai,
    OPENAI_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: urls.gemini,
    GEMINI_API_KEY: key,
  };
}
