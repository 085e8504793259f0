import { asText } from "./anthropic.js";
import { limitIn } from "./ceiling.js";
import { countIn, field } from "./counted.js";
import { bearerOf, type Dialect, single, type Tally } from "./dialect.js";

/** OpenAI Responses and Chat Completions. Both say what a call cost once, at its end; what was cached is part of the input. */
export const openai: Dialect = {
  upstream: "https://api.openai.com",
  keyVariable: "OPENAI_API_KEY",
  basePath: "/openai/v1",
  routes: [
    { method: "POST", path: /^\/v1\/responses$/, generates: true },
    { method: "POST", path: /^\/v1\/chat\/completions$/, generates: true },
    { method: "GET", path: /^\/v1\/models(?:\/[\w.:-]+)?$/, generates: false },
  ],
  tokenIn: (headers) => bearerOf(headers) ?? single(headers["api-key"]),
  keyHeaders: (key) => ({ authorization: `Bearer ${key.reveal()}` }),
  modelOf: (_, body) => asText(field(body, "model")),
  hasLastWord: true,
  query: { limit: /^\d+$/, after: /^[\w.:-]+$/ },
  limitsOf: (body) => ({
    output: limitIn(body, ["max_output_tokens"], ["max_completion_tokens"], ["max_tokens"]),
    outputs: limitIn(body, ["n"]) ?? 1,
  }),
  forbids(body, { limited }) {
    if (field(body, "background") === true) return "background calls do not say what they cost: leave background out";
    const dear = limited && field(body, "service_tier") === "priority";
    return dear ? "with a budget no call may ask for the priority tier" : undefined;
  },
  amend(body) {
    // Without it a stream of chat completions does not say what it cost. Libraries pass over the chunk it adds.
    const chat = field(body, "messages") !== undefined && field(body, "stream") === true;
    if (!chat || field(body, "stream_options", "include_usage") === true) return undefined;
    const options = field(body, "stream_options");
    return { ...(body as object), stream_options: { ...(options as object | undefined), include_usage: true } };
  },
  read(message, before) {
    const usage = field(message, "usage") ?? field(message, "response", "usage");
    if (typeof usage !== "object" || usage === null) return before;
    return tally(usage);
  },
  error: ({ status, message }) => ({
    error: {
      message,
      type: status >= 500 ? "server_error" : "invalid_request_error",
      param: null,
      code: codeOf(status),
    },
  }),
};

function tally(usage: object): Tally {
  const read = countIn(field(usage, "input_tokens")) || countIn(field(usage, "prompt_tokens"));
  const cached =
    countIn(field(usage, "input_tokens_details", "cached_tokens")) ||
    countIn(field(usage, "prompt_tokens_details", "cached_tokens"));
  const output = countIn(field(usage, "output_tokens")) || countIn(field(usage, "completion_tokens"));
  const cacheRead = Math.min(read, cached);
  const written =
    countIn(field(usage, "input_tokens_details", "cache_write_tokens")) ||
    countIn(field(usage, "prompt_tokens_details", "cache_write_tokens"));
  const cacheWrite = Math.min(read - cacheRead, written);
  const input = read - cacheRead - cacheWrite;
  return { counted: { input, cacheWrite, cacheWriteHour: 0, cacheRead, output }, complete: true };
}

function codeOf(status: number): string | null {
  return status === 401 ? "invalid_api_key" : status === 404 ? "not_found" : null;
}
