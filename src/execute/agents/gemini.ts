import { z } from "zod";
import type { TraceEvent } from "../../model/agent.js";
import type { AgentAdapter } from "./adapter.js";
import { as, claimedTokens, jsonLines, type StreamParser } from "./parser.js";

/** Relative to HOME. The file for whole systems, which has the last word, must lie where only root may write. */
const settingsFile = ".gemini/settings.json";

const settings = {
  // With a base URL in its environment it chooses a way to log in that it then refuses.
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
};

/** https://geminicli.com/docs/cli/headless and https://geminicli.com/docs/reference/configuration */
export const gemini: AgentAdapter = {
  name: "gemini",
  install: "npm install -g @google/gemini-cli",
  version: ["--version"],
  logins: ["GEMINI_API_KEY"],
  protocol: () => "gemini",
  invocation: ({ model, access }) => ({
    file: "gemini",
    args: ["--output-format", "stream-json", "--approval-mode", "yolo", ...(model === null ? [] : ["--model", model])],
    environment: {
      // An unknown folder is not to be asked about, and a second process of itself serves people at a terminal.
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_CLI_NO_RELAUNCH: "true",
      ...(access ? { GOOGLE_GEMINI_BASE_URL: access.urls.gemini, GEMINI_API_KEY: access.token.reveal() } : {}),
    },
    files: [{ path: settingsFile, content: JSON.stringify(settings) }],
  }),
  parser,
};

const event = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message"), role: z.string(), content: z.string() }),
  z.object({ type: z.literal("tool_use"), tool_id: z.string(), tool_name: z.string(), parameters: z.unknown() }),
  z.object({
    type: z.literal("tool_result"),
    tool_id: z.string(),
    status: z.string(),
    error: z.object({ type: z.string().nullish(), message: z.string().nullish() }).nullish(),
  }),
  z.object({ type: z.literal("error"), severity: z.string().nullish(), message: z.string() }),
  z.object({
    type: z.literal("result"),
    status: z.string(),
    error: z.object({ message: z.string() }).nullish(),
    stats: z.object({ total_tokens: claimedTokens, input_tokens: claimedTokens, cached: claimedTokens }).nullish(),
  }),
]);
type Event = z.infer<typeof event>;

/** Characters after which a text is told though it may go on. */
const longestText = 10_000;

function parser(): StreamParser {
  // Text comes in pieces, of which a sentence has dozens.
  let text = "";
  const said = (): TraceEvent[] => {
    const whole = text;
    text = "";
    return whole === "" ? [] : [{ kind: "text", text: whole }];
  };
  return jsonLines((value) => {
    const found = as(event, value);
    if (found === undefined) return [];
    if (found.type !== "message") return [...said(), ...read(found)];
    if (found.role === "assistant") text += found.content;
    return text.length > longestText ? said() : [];
  }, said);
}

function read(found: Exclude<Event, { type: "message" }>): TraceEvent[] {
  switch (found.type) {
    case "tool_use":
      return [{ kind: "tool", name: found.tool_name, input: JSON.stringify(found.parameters ?? null) }];
    case "tool_result":
      return found.error?.type === "policy_violation"
        ? [{ kind: "tool", name: found.tool_id, input: found.error.message ?? "", denied: true }]
        : [];
    case "error":
      return [{ kind: "note", text: found.message }];
    case "result":
      return [readResult(found)];
  }
}

function readResult({ status, error, stats }: Extract<Event, { type: "result" }>): TraceEvent {
  const ok = status === "success";
  const text = error?.message ?? (ok ? "" : status);
  if (!stats) return { kind: "result", ok, text };
  const cached = Math.min(stats.cached, stats.input_tokens);
  // What it thought is in the total only.
  const output = Math.max(stats.total_tokens - stats.input_tokens, 0);
  // It tells no cost.
  return {
    kind: "result",
    ok,
    text,
    usage: { costUsd: null, tokens: { input: stats.input_tokens - cached, output, cached } },
  };
}
