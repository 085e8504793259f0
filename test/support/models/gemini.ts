import type { Answer } from "./script.js";
import { demand, event, isRecord, list, optionalList, type Refusal, type Wire } from "./wire.js";

const method = /^\/(?:v1beta|v1)\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** https://ai.google.dev/api/generate-content */
export const gemini: Wire = {
  serves: (path) => method.test(path),
  key: (headers, url) => headers.get("x-goog-api-key") ?? url.searchParams.get("key"),
  read(body, { path }) {
    const [, model = "", called] = method.exec(path) ?? [];
    const contents = list(body, "contents");
    demand(contents.length > 0, "* GenerateContentRequest.contents: contents is not specified");
    const parts = contents.flatMap((content, at) => {
      demand(["user", "model", undefined].includes(content["role"] as string), "Please use a valid role: user, model.");
      const own = list(content, "parts");
      demand(own.length > 0, `* GenerateContentRequest.contents[${at}].parts: must not be empty`);
      return own;
    });
    return {
      model: decodeURIComponent(model),
      tools: optionalList(body, "tools")
        .flatMap((tool) => optionalList(tool, "functionDeclarations"))
        .map(({ name }) => String(name)),
      results: parts.filter((part) => isRecord(part["functionResponse"])).length,
      stream: called === "streamGenerateContent",
    };
  },
  stream: (answer, { model }) => {
    const { candidates, usageMetadata, ...head } = whole(answer, model);
    const [candidate] = candidates;
    return [
      ...candidate.content.parts.map((part) =>
        event({ ...head, candidates: [{ index: 0, content: { role: "model", parts: [part] } }] }),
      ),
      event({
        ...head,
        usageMetadata,
        candidates: [{ index: 0, content: { role: "model", parts: [{ text: "" }] }, finishReason: "STOP" }],
      }),
    ];
  },
  whole: (answer, { model }) => whole(answer, model),
  refusal: ({ status, kind, message }) => ({ error: { code: status, message, status: statuses[kind] } }),
};

const statuses: Record<Refusal["kind"], string> = {
  authentication: "UNAUTHENTICATED",
  not_found: "NOT_FOUND",
  invalid: "INVALID_ARGUMENT",
  rate_limit: "RESOURCE_EXHAUSTED",
  overloaded: "UNAVAILABLE",
  server: "INTERNAL",
};

function whole({ number, text, call, usage }: Answer, modelVersion: string) {
  const parts = [{ text }, ...(call ? [{ functionCall: { name: call.name, args: call.input } }] : [])];
  const candidate = { index: 0, content: { role: "model", parts }, finishReason: "STOP" };
  return {
    responseId: `resp_${number}`,
    modelVersion,
    candidates: [candidate] as [typeof candidate],
    usageMetadata: {
      // Of this maker, too, the cached ones are part of the prompt.
      promptTokenCount: usage.input + usage.cached,
      cachedContentTokenCount: usage.cached,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.cached + usage.output,
    },
  };
}
