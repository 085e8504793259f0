import { z } from "zod";
import type { TraceEvent } from "../../model/agent.js";
import type { AgentAdapter } from "./adapter.js";
import { as, claimedTokens, jsonLines, type StreamParser } from "./parser.js";

/** Where codex finds the token it shows the gateway. */
const tokenVariable = "MULTIRUN_MODEL_TOKEN";

/** https://developers.openai.com/codex/noninteractive */
export const codex: AgentAdapter = {
  name: "codex",
  install: "npm install -g @openai/codex",
  version: ["--version"],
  logins: ["CODEX_API_KEY", "CODEX_ACCESS_TOKEN"],
  protocol: () => "openai",
  invocation: ({ model, access }) => ({
    file: "codex",
    args: [
      "exec",
      "--json",
      "--ephemeral",
      "--skip-git-repo-check",
      // Its own sandbox does not work inside another one.
      "--dangerously-bypass-approvals-and-sandbox",
      ...set("check_for_update_on_startup", false),
      ...set("analytics.enabled", false),
      ...(access ? provider(access.urls.openai) : []),
      ...(model === null ? [] : ["--model", model]),
      "-",
    ],
    environment: access ? { [tokenVariable]: access.token.reveal() } : {},
    files: [],
  }),
  parser,
};

function provider(url: string): string[] {
  const at = (key: string) => `model_providers.multirun.${key}`;
  return [
    ...set("model_provider", "multirun"),
    ...set(at("name"), "multirun"),
    ...set(at("base_url"), url),
    ...set(at("env_key"), tokenVariable),
    ...set(at("wire_api"), "responses"),
    // The gateway waits and tries again for all runs together.
    ...set(at("request_max_retries"), 1),
    ...set(at("stream_max_retries"), 2),
  ];
}

/** Values are TOML, whose strings, numbers and booleans are written as JSON's. */
function set(key: string, value: string | number | boolean): string[] {
  return ["--config", `${key}=${JSON.stringify(value)}`];
}

const item = z.discriminatedUnion("type", [
  z.object({ type: z.literal("agent_message"), text: z.string() }),
  z.object({ type: z.literal("command_execution"), command: z.string(), status: z.string().nullish() }),
  z.object({ type: z.literal("file_change"), changes: z.unknown(), status: z.string().nullish() }),
  z.object({ type: z.literal("mcp_tool_call"), server: z.string(), tool: z.string(), arguments: z.unknown() }),
  z.object({ type: z.literal("web_search"), query: z.string() }),
  z.object({ type: z.literal("collab_tool_call"), tool: z.string(), prompt: z.string().nullish() }),
  z.object({ type: z.literal("error"), message: z.string() }),
]);
const event = z.discriminatedUnion("type", [
  z.object({ type: z.literal("item.completed"), item: z.unknown() }),
  z.object({
    type: z.literal("turn.completed"),
    usage: z
      .object({
        input_tokens: claimedTokens,
        cached_input_tokens: claimedTokens.nullish(),
        output_tokens: claimedTokens,
      })
      .nullish(),
  }),
  z.object({ type: z.literal("turn.failed"), error: z.object({ message: z.string() }) }),
  /** A try that failed, or the last one, which `turn.failed` says again. */
  z.object({ type: z.literal("error"), message: z.string() }),
]);

function parser(): StreamParser {
  // What agents of its own used is in no sum it tells.
  let helped = false;
  return jsonLines((value) => {
    const said = as(event, value);
    if (said?.type === "turn.completed") return [readDone(said.usage, helped)];
    const found = said?.type === "item.completed" ? as(item, said.item) : undefined;
    helped ||= found?.type === "collab_tool_call";
    return found ? readItem(found) : said ? readOther(said) : [];
  });
}

type Said<T extends z.infer<typeof event>["type"]> = Extract<z.infer<typeof event>, { type: T }>;

function readOther(said: z.infer<typeof event>): TraceEvent[] {
  if (said.type === "turn.failed") return [{ kind: "result", ok: false, text: said.error.message }];
  return said.type === "error" ? [{ kind: "note", text: said.message }] : [];
}

/** It tells no cost. */
function readDone(usage: Said<"turn.completed">["usage"], helped: boolean): TraceEvent {
  if (!usage) return { kind: "result", ok: true, text: "" };
  const cached = Math.min(usage.cached_input_tokens ?? 0, usage.input_tokens);
  const tokens = { input: usage.input_tokens - cached, output: usage.output_tokens, cached };
  return { kind: "result", ok: true, text: "", usage: { costUsd: null, tokens, ...(helped ? { atLeast: true } : {}) } };
}

function readItem(found: z.infer<typeof item>): TraceEvent[] {
  switch (found.type) {
    case "agent_message":
      return [{ kind: "text", text: found.text }];
    case "command_execution":
      return [tool("shell", found.command, found.status)];
    case "file_change":
      return [tool("edit", JSON.stringify(found.changes ?? null), found.status)];
    case "mcp_tool_call":
      return [tool(`${found.server}.${found.tool}`, JSON.stringify(found.arguments ?? null))];
    case "web_search":
      return [tool("web_search", found.query)];
    case "collab_tool_call":
      return [tool(found.tool, found.prompt ?? "")];
    case "error":
      return [{ kind: "note", text: found.message }];
  }
}

function tool(name: string, input: string, status?: string | null): TraceEvent {
  return { kind: "tool", name, input, ...(status === "declined" ? { denied: true as const } : {}) };
}
