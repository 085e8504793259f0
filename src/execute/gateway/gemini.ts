import { limitIn } from "./ceiling.js";
import { countIn, field } from "./counted.js";
import { bearerOf, type Dialect, single } from "./dialect.js";

const model = "\\w[\\w.:-]*?";
const generating = new RegExp(`^/v1(?:beta)?/models/(${model}):(?:generateContent|streamGenerateContent)$`);

/** Gemini. Every chunk of a stream says what the call has cost so far; thoughts are paid like answers. */
export const gemini: Dialect = {
  upstream: "https://generativelanguage.googleapis.com",
  keyVariable: "GEMINI_API_KEY",
  basePath: "/gemini",
  routes: [
    { method: "POST", path: generating, generates: true },
    { method: "POST", path: new RegExp(`^/v1(?:beta)?/models/${model}:countTokens$`), generates: false },
    { method: "GET", path: new RegExp(`^/v1(?:beta)?/models(?:/${model})?$`), generates: false },
  ],
  tokenIn: (headers, query) => single(headers["x-goog-api-key"]) ?? query.get("key") ?? bearerOf(headers),
  keyHeaders: (key) => ({ "x-goog-api-key": key.reveal() }),
  hasLastWord: false,
  query: { alt: /^(?:sse|json)$/, pageSize: /^\d+$/, pageToken: /^[\w.:=+/-]+$/ },
  limitsOf: (body) => ({
    output: limitIn(body, ["generationConfig", "maxOutputTokens"], ["generation_config", "max_output_tokens"]),
    outputs: limitIn(body, ["generationConfig", "candidateCount"], ["generation_config", "candidate_count"]) ?? 1,
  }),
  modelOf: (path) => generating.exec(path)?.[1],
  read(message, before) {
    // Without server-sent events a stream is one list of chunks.
    if (Array.isArray(message)) return message.reduce((tally, chunk) => gemini.read(chunk, tally), before);
    const usage = field(message, "usageMetadata");
    if (usage === undefined) return before;
    const read = countIn(field(usage, "promptTokenCount")) + countIn(field(usage, "toolUsePromptTokenCount"));
    const cacheRead = Math.min(read, countIn(field(usage, "cachedContentTokenCount")));
    const output = countIn(field(usage, "candidatesTokenCount")) + countIn(field(usage, "thoughtsTokenCount"));
    const finished = field(message, "candidates", "0", "finishReason") !== undefined;
    const counted = { input: read - cacheRead, cacheWrite: 0, cacheWriteHour: 0, cacheRead, output };
    return { counted, complete: before.complete || finished };
  },
  error: ({ status, message }) => ({ error: { code: status, message, status: statusWord(status) } }),
};

function statusWord(status: number): string {
  if (status === 401) return "UNAUTHENTICATED";
  if (status === 404) return "NOT_FOUND";
  return status >= 500 ? "UNAVAILABLE" : "INVALID_ARGUMENT";
}
