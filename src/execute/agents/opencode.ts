import { z } from "zod";
import type { ModelAccess, Protocol, TraceEvent } from "../../model/agent.js";
import { badInput } from "../../model/error.js";
import type { AgentAdapter } from "./adapter.js";
import { as, claimedCost, claimedTokens, jsonLines } from "./parser.js";

/** What opencode calls the makers, the protocol each speaks, and what its libraries want behind the base URL. */
const makers = {
  anthropic: { protocol: "anthropic", path: "/v1" },
  openai: { protocol: "openai", path: "" },
  google: { protocol: "gemini", path: "/v1beta" },
} as const satisfies Record<string, { protocol: Protocol; path: string }>;
type Maker = keyof typeof makers;

/** https://opencode.ai/docs/cli and https://opencode.ai/docs/config */
export const opencode: AgentAdapter = {
  name: "opencode",
  install: "npm install -g opencode-ai",
  version: ["--version"],
  logins: [
    "OPENCODE_AUTH_CONTENT",
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GOOGLE_GENERATIVE_AI_API_KEY",
    "OPENCODE_API_KEY",
  ],
  protocol: (model) => makers[split(model).maker].protocol,
  invocation: ({ model, access }) => ({
    file: "opencode",
    // A title of ours saves the request for one, which its stream would not tell of.
    args: ["run", "--format", "json", "--title", "multirun", ...modelArguments(model, access)],
    environment: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_SHARE: "1",
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        permission: "allow",
        share: "disabled",
        autoupdate: false,
        // Undo for people: a second git repository that nobody reads here.
        snapshot: false,
        ...(access ? providerOf(model, access) : {}),
      }),
    },
    files: [],
  }),
  parser: () => jsonLines(read),
};

function modelArguments(model: string | null, access: ModelAccess | null): string[] {
  if (access === null) return model === null ? [] : ["--model", model];
  const { maker, id } = split(model);
  return ["--model", `${maker}/${id}`];
}

function providerOf(model: string | null, access: ModelAccess): object {
  const { maker, id } = split(model);
  const { protocol, path } = makers[maker];
  const options = { baseURL: `${access.urls[protocol]}${path}`, apiKey: access.token.reveal() };
  return {
    enabled_providers: [maker],
    small_model: `${maker}/${id}`,
    // Named here, because a model it does not know fails without a word about the model.
    provider: { [maker]: { options, models: { [id]: {} } } },
  };
}

function split(model: string | null): { maker: Maker; id: string } {
  const [, maker = "", id = ""] = /^([^/]+)\/(.+)$/.exec(model ?? "") ?? [];
  if (Object.hasOwn(makers, maker)) return { maker: maker as Maker, id };
  throw badInput(
    `opencode needs a model with its maker in front; ${model === null ? "none is named" : `"${model}" is none`}`,
    `Write one of ${Object.keys(makers).join("/…, ")}/… as model, for example anthropic/claude-sonnet-4-5.`,
  );
}

const part = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({
    type: z.literal("tool"),
    tool: z.string(),
    callID: z.string(),
    state: z.object({ status: z.string(), input: z.unknown(), error: z.string().nullish() }),
  }),
  z.object({
    type: z.literal("step-finish"),
    id: z.string(),
    reason: z.string(),
    cost: claimedCost.nullish(),
    tokens: z.object({
      total: claimedTokens.nullish(),
      input: claimedTokens,
      output: claimedTokens,
      reasoning: claimedTokens,
      cache: z.object({ read: claimedTokens, write: claimedTokens }),
    }),
  }),
]);
const failure = z.object({
  type: z.literal("error"),
  error: z.object({ name: z.string(), data: z.object({ message: z.string().nullish() }).nullish() }),
});

function read(value: unknown): TraceEvent[] {
  const error = as(failure, value)?.error;
  if (error) return [{ kind: "result", ok: false, text: error.data?.message ?? error.name }];
  const found = as(z.object({ part }), value)?.part;
  switch (found?.type) {
    case "text":
      return [{ kind: "text", text: found.text }];
    case "tool":
      return readTool(found);
    case "step-finish":
      return readStep(found);
    default:
      return [];
  }
}

function readTool({ tool, callID, state }: Extract<z.infer<typeof part>, { type: "tool" }>): TraceEvent[] {
  // It has no status of its own for what a rule forbids.
  const denied = state.status === "error" && /\b(?:rule|rejected permission)\b/.test(state.error ?? "");
  return [
    { kind: "tool", name: tool, input: JSON.stringify(state.input ?? null), ...(denied ? { denied } : {}) },
    // An agent of its own, whose steps are in no stream.
    ...(tool === "task" ? [{ kind: "usage" as const, message: callID, usage: { costUsd: null, tokens: null } }] : []),
  ];
}

function readStep({ id, reason, cost, tokens }: Extract<z.infer<typeof part>, { type: "step-finish" }>): TraceEvent[] {
  const { total, cache } = tokens;
  const input = tokens.input + cache.write;
  // Reasoning is told beside the output by some makers and inside it by others; the total knows.
  const output = Math.max(total ? total - input - cache.read : tokens.output + tokens.reasoning, 0);
  const used = { input, output, cached: cache.read };
  // A model without a price costs 0 here, which is not known and not nothing.
  const costUsd = cost === 0 && input + output > 0 ? null : (cost ?? null);
  return [
    { kind: "usage", message: id, usage: { costUsd, tokens: used } },
    ...(reason === "tool-calls" ? [] : [{ kind: "result" as const, ok: reason === "stop", text: reason }]),
  ];
}
