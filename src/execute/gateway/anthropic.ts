import { limitIn } from "./ceiling.js";
import { countIn, field } from "./counted.js";
import { bearerOf, type Dialect, single } from "./dialect.js";

/** Anthropic Messages. A stream says what was read at its start, and what was written, summed up, in each delta. */
export const anthropic: Dialect = {
  upstream: "https://api.anthropic.com",
  keyVariable: "ANTHROPIC_API_KEY",
  basePath: "/anthropic",
  routes: [
    { method: "POST", path: /^\/v1\/messages$/, generates: true },
    { method: "POST", path: /^\/v1\/messages\/count_tokens$/, generates: false },
    { method: "GET", path: /^\/v1\/models(?:\/[\w.:-]+)?$/, generates: false },
  ],
  tokenIn: (headers) => single(headers["x-api-key"]) ?? bearerOf(headers),
  keyHeaders: (key) => ({ "x-api-key": key.reveal() }),
  modelOf: (_, body) => asText(field(body, "model")),
  hasLastWord: true,
  query: { beta: /^true$/, limit: /^\d+$/, before_id: /^[\w.:-]+$/, after_id: /^[\w.:-]+$/ },
  limitsOf: (body) => ({ output: limitIn(body, ["max_tokens"]), outputs: 1 }),
  forbids: (body, { limited }) =>
    limited && field(body, "speed") === "fast" ? "with a budget no call may ask for the fast speed" : undefined,
  read(message, before) {
    const usage = field(message, "usage") ?? field(message, "message", "usage");
    if (usage === undefined) return before;
    const type = field(message, "type");
    const { counted } = before;
    const hour = countIn(field(usage, "cache_creation", "ephemeral_1h_input_tokens"));
    const written = countIn(field(usage, "cache_creation_input_tokens"));
    return {
      counted: {
        // A delta repeats what the start said, or leaves it out.
        input: Math.max(counted.input, countIn(field(usage, "input_tokens"))),
        cacheWrite: Math.max(counted.cacheWrite, written - hour),
        cacheWriteHour: Math.max(counted.cacheWriteHour, hour),
        cacheRead: Math.max(counted.cacheRead, countIn(field(usage, "cache_read_input_tokens"))),
        output: Math.max(counted.output, countIn(field(usage, "output_tokens"))),
      },
      complete: before.complete || type === "message_delta" || type === "message",
    };
  },
  error: ({ status, message }) => ({ type: "error", error: { type: kindOf(status), message } }),
};

function kindOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 404) return "not_found_error";
  if (status === 413) return "request_too_large";
  return status >= 500 ? "api_error" : "invalid_request_error";
}

export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
