import type { Answer } from "./script.js";
import { type Asked, demand, event, isRecord, list, optionalList, type Refusal, type Wire } from "./wire.js";

const key: Wire["key"] = (headers) => headers.get("authorization")?.replace(/^Bearer /, "") ?? null;

const codes: Record<Refusal["kind"], [type: string, code: string | null]> = {
  authentication: ["invalid_request_error", "invalid_api_key"],
  not_found: ["invalid_request_error", "model_not_found"],
  invalid: ["invalid_request_error", null],
  rate_limit: ["rate_limit_error", "rate_limit_exceeded"],
  overloaded: ["server_error", "server_is_overloaded"],
  server: ["server_error", null],
};

const refusal: Wire["refusal"] = ({ kind, message }) => {
  const [type, code] = codes[kind];
  return { error: { message, type, param: null, code } };
};

/** https://platform.openai.com/docs/api-reference/responses and its page on streaming. */
export const responses: Wire = {
  serves: (path) => path === "/responses",
  key,
  read(body) {
    demand(typeof body["model"] === "string", "Missing required parameter: 'model'.");
    const input = list(body, "input");
    demand(input.length > 0, "Invalid 'input': empty array.");
    const calls = input.filter(({ type }) => type === "function_call").map((each) => each["call_id"]);
    const outputs = input.filter(({ type }) => type === "function_call_output").map((each) => each["call_id"]);
    for (const id of outputs)
      demand(calls.includes(id), `No tool call found for function call output with call_id ${id}.`);
    for (const id of calls) demand(outputs.includes(id), `No tool output found for function call ${id}.`);
    return {
      model: body["model"],
      tools: optionalList(body, "tools").map(({ name, type }) => String(name ?? type)),
      results: outputs.length,
      stream: body["stream"] === true,
    };
  },
  stream(answer, asked) {
    const response = whole(answer, asked);
    const send = (type: string, data: object) => event({ type, ...data }, type);
    return [
      send("response.created", { response: { ...response, status: "in_progress", output: [], usage: null } }),
      ...response.output.flatMap((item, output_index) => [
        send("response.output_item.added", { output_index, item }),
        send("response.output_item.done", { output_index, item }),
      ]),
      send("response.completed", { response }),
    ];
  },
  whole,
  refusal,
};

function whole({ number, text, call, usage }: Answer, { model }: Asked) {
  return {
    id: `resp_${number}`,
    object: "response",
    created_at: 1,
    model,
    status: "completed",
    output: [
      {
        type: "message",
        id: `msg_${number}`,
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text, annotations: [] }],
      },
      ...(call
        ? [
            {
              type: "function_call",
              id: `fc_${number}`,
              call_id: `call_${number}`,
              name: call.name,
              arguments: JSON.stringify(call.input),
              status: "completed",
            },
          ]
        : []),
    ],
    usage: {
      // Of this maker the cached ones are part of the input.
      input_tokens: usage.input + usage.cached,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.cached + usage.output,
    },
  };
}

/** https://platform.openai.com/docs/api-reference/chat and its page on streaming. */
export const chat: Wire = {
  serves: (path) => path === "/chat/completions",
  key,
  read(body) {
    demand(typeof body["model"] === "string", "you must provide a model parameter");
    const messages = list(body, "messages");
    demand(messages.length > 0, "[] is too short - 'messages'");
    const answered = messages.filter(({ role }) => role === "tool").map((each) => each["tool_call_id"]);
    for (const call of messages.flatMap((each) => optionalList(each, "tool_calls"))) {
      demand(answered.includes(call["id"]), `tool_call_ids did not have response messages: ${call["id"]}`);
    }
    return {
      model: body["model"],
      tools: optionalList(body, "tools").map(({ function: made }) => (isRecord(made) ? String(made["name"]) : "")),
      results: answered.length,
      stream: body["stream"] === true,
    };
  },
  stream({ number, text, call, usage }, { model }) {
    const head = { id: `chatcmpl-${number}`, object: "chat.completion.chunk", created: 1, model };
    const send = (delta: object, finish_reason: string | null = null) =>
      event({ ...head, choices: [{ index: 0, delta, finish_reason }] });
    return [
      send({ role: "assistant", content: text }),
      ...(call ? [send({ tool_calls: [{ index: 0, ...toolCall(number, call) }] })] : []),
      send({}, call ? "tool_calls" : "stop"),
      event({ ...head, choices: [], usage: chatUsage(usage) }),
      "data: [DONE]\n\n",
    ];
  },
  whole: ({ number, text, call, usage }, { model }) => ({
    id: `chatcmpl-${number}`,
    object: "chat.completion",
    created: 1,
    model,
    choices: [
      {
        index: 0,
        finish_reason: call ? "tool_calls" : "stop",
        message: { role: "assistant", content: text, ...(call ? { tool_calls: [toolCall(number, call)] } : {}) },
      },
    ],
    usage: chatUsage(usage),
  }),
  refusal,
};

function toolCall(number: number, { name, input }: NonNullable<Answer["call"]>) {
  return { id: `call_${number}`, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

function chatUsage({ input, output, cached }: Answer["usage"]) {
  return {
    prompt_tokens: input + cached,
    completion_tokens: output,
    total_tokens: input + cached + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
