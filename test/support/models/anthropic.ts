import type { Answer } from "./script.js";
import { type Asked, demand, event, isRecord, list, optionalList, type Refusal, type Wire } from "./wire.js";

/** https://docs.anthropic.com/en/api/messages and its page on streaming. */
export const anthropic: Wire = {
  serves: (path) => path === "/v1/messages",
  key: (headers) => headers.get("x-api-key") ?? headers.get("authorization")?.replace(/^Bearer /, "") ?? null,
  read(body, { headers }) {
    demand(headers.get("anthropic-version"), "anthropic-version: header is required");
    demand(typeof body["model"] === "string", "model: Field required");
    demand(Number.isInteger(body["max_tokens"]) && Number(body["max_tokens"]) > 0, "max_tokens: must be above 0");
    const messages = list(body, "messages");
    demand(messages[0]?.["role"] === "user", "messages: first message must use the user role");
    const blocks = messages.map(({ content }) => (Array.isArray(content) ? content.filter(isRecord) : []));
    const ids = (each: Record<string, unknown>[] | undefined, type: string, key: string) =>
      (each ?? []).filter((block) => block["type"] === type).map((block) => block[key]);
    for (const [at, each] of blocks.entries()) {
      const answered = ids(blocks[at + 1], "tool_result", "tool_use_id");
      for (const id of ids(each, "tool_use", "id")) {
        demand(answered.includes(id), `messages.${at}: tool_use ids were found without tool_result blocks: ${id}`);
      }
    }
    return {
      model: body["model"],
      tools: optionalList(body, "tools").map(({ name }) => String(name)),
      results: blocks.flat().filter((block) => block["type"] === "tool_result").length,
      stream: body["stream"] === true,
    };
  },
  stream(answer, asked) {
    const { stop_reason, content, usage, ...message } = whole(answer, asked);
    const send = (type: string, data: object) => event({ type, ...data }, type);
    return [
      send("message_start", {
        message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      }),
      ...content.flatMap((block, index) => [
        send("content_block_start", {
          index,
          content_block: { ...block, ...("text" in block ? { text: "" } : { input: {} }) },
        }),
        send("content_block_delta", {
          index,
          delta:
            "text" in block
              ? { type: "text_delta", text: block.text }
              : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
        }),
        send("content_block_stop", { index }),
      ]),
      send("message_delta", {
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: usage.output_tokens },
      }),
      send("message_stop", {}),
    ];
  },
  whole,
  refusal: ({ kind, message }) => ({ type: "error", error: { type: kinds[kind], message } }),
};

const kinds: Record<Refusal["kind"], string> = {
  authentication: "authentication_error",
  not_found: "not_found_error",
  invalid: "invalid_request_error",
  rate_limit: "rate_limit_error",
  overloaded: "overloaded_error",
  server: "api_error",
};

function whole({ number, text, call, usage }: Answer, { model }: Asked) {
  return {
    id: `msg_${number}`,
    type: "message" as const,
    role: "assistant" as const,
    model,
    content: [
      { type: "text" as const, text },
      ...(call ? [{ type: "tool_use" as const, id: `toolu_${number}`, ...call }] : []),
    ],
    stop_reason: call ? ("tool_use" as const) : ("end_turn" as const),
    stop_sequence: null,
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: usage.cached,
    },
  };
}
