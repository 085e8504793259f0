import { z } from "zod";
import type { TraceEvent, Usage } from "../../model/agent.js";
import type { AgentAdapter } from "./adapter.js";
import { as, claimedCost, claimedTokens, jsonLines } from "./parser.js";

/** https://docs.anthropic.com/en/docs/claude-code/cli-reference */
export const claude: AgentAdapter = {
  name: "claude",
  install: "npm install -g @anthropic-ai/claude-code",
  version: ["--version"],
  logins: ["CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_API_KEY"],
  protocol: () => "anthropic",
  invocation: ({ model, access }) => ({
    file: "claude",
    args: [
      "-p",
      ...["--output-format", "stream-json", "--verbose"],
      // Nobody is there to be asked: whatever would ask is denied in every other mode.
      ...["--permission-mode", "bypassPermissions"],
      ...(model === null ? [] : ["--model", model]),
    ],
    environment: {
      // Without it root is refused the mode above.
      IS_SANDBOX: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      ...(access
        ? {
            ANTHROPIC_BASE_URL: access.urls.anthropic,
            ANTHROPIC_API_KEY: access.token.reveal(),
            // The gateway waits and tries again for all runs together; ten tries of each would be minutes of nothing.
            CLAUDE_CODE_MAX_RETRIES: "2",
          }
        : {}),
    },
    files: [],
  }),
  parser: () => jsonLines(read),
};

const block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("tool_use"), name: z.string(), input: z.unknown() }),
]);
const usage = z.object({
  input_tokens: claimedTokens,
  output_tokens: claimedTokens,
  cache_creation_input_tokens: claimedTokens.nullish(),
  cache_read_input_tokens: claimedTokens.nullish(),
});
const assistant = z.object({
  type: z.literal("assistant"),
  message: z.object({ id: z.string(), model: z.string(), content: z.array(z.unknown()), usage: usage.nullish() }),
});
const retry = z.object({
  type: z.literal("system"),
  subtype: z.literal("api_retry"),
  attempt: z.number(),
  max_retries: z.number(),
  error_status: z.number().nullish(),
});
const perModel = z.object({
  inputTokens: claimedTokens,
  outputTokens: claimedTokens,
  cacheReadInputTokens: claimedTokens,
  cacheCreationInputTokens: claimedTokens,
});
const result = z.object({
  type: z.literal("result"),
  /** `subtype` says "success" of errors, too. */
  is_error: z.boolean(),
  subtype: z.string(),
  result: z.string().nullish(),
  errors: z.array(z.string()).nullish(),
  total_cost_usd: claimedCost.nullish(),
  usage: usage.nullish(),
  modelUsage: z.record(z.string(), perModel).nullish(),
  permission_denials: z.array(z.object({ tool_name: z.string(), tool_input: z.unknown() })).nullish(),
});

function read(value: unknown): TraceEvent[] {
  const message = as(assistant, value)?.message;
  if (message) return readMessage(message);
  const tried = as(retry, value);
  if (tried)
    return [
      {
        kind: "note",
        text: `try ${tried.attempt} of ${tried.max_retries} failed: ${tried.error_status ?? "no answer"}`,
      },
    ];
  const end = as(result, value);
  return end ? readResult(end) : [];
}

function readMessage({ id, model, content, usage: used }: z.infer<typeof assistant>["message"]): TraceEvent[] {
  const blocks = content.map((each) => as(block, each)).filter((each) => each !== undefined);
  return [
    ...blocks.map(
      (each): TraceEvent =>
        each.type === "text"
          ? { kind: "text", text: each.text }
          : { kind: "tool", name: each.name, input: JSON.stringify(each.input ?? null) },
    ),
    // One message comes in several lines, each with its usage. What the agent says in a model's place used nothing.
    ...(used && model !== "<synthetic>"
      ? [{ kind: "usage" as const, message: id, usage: { costUsd: null, tokens: tokensOf(used) } }]
      : []),
  ];
}

function readResult(end: z.infer<typeof result>): TraceEvent[] {
  const denied = end.permission_denials ?? [];
  const text = end.result ?? end.errors?.join("; ") ?? end.subtype;
  const total = totalOf(end);
  return [
    // A denied write shows here and nowhere else.
    ...denied.map(
      ({ tool_name, tool_input }): TraceEvent => ({
        kind: "tool",
        name: tool_name,
        input: JSON.stringify(tool_input ?? null),
        denied: true,
      }),
    ),
    { kind: "result", ok: !end.is_error && end.subtype === "success", text, ...(total ? { usage: total } : {}) },
  ];
}

/** By model: `usage` beside it leaves out what other models did on the side. */
function totalOf({ modelUsage, usage: used, total_cost_usd }: z.infer<typeof result>): Usage | undefined {
  const models = Object.values(modelUsage ?? {});
  const sum = (key: keyof z.infer<typeof perModel>) => models.reduce((total, each) => total + each[key], 0);
  const input = sum("inputTokens") + sum("cacheCreationInputTokens");
  const byModel = { input, output: sum("outputTokens"), cached: sum("cacheReadInputTokens") };
  const tokens = models.length > 0 ? byModel : used ? tokensOf(used) : null;
  if (tokens === null && typeof total_cost_usd !== "number") return undefined;
  return { costUsd: total_cost_usd ?? null, tokens };
}

function tokensOf(used: z.infer<typeof usage>): NonNullable<Usage["tokens"]> {
  return {
    input: used.input_tokens + (used.cache_creation_input_tokens ?? 0),
    output: used.output_tokens,
    cached: used.cache_read_input_tokens ?? 0,
  };
}
