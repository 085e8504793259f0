import { expect, onTestFinished, test } from "vitest";
import { type Stub, type StubOptions, startStub } from "../../support/models/stub.js";

async function stub(more: Partial<StubOptions> = {}): Promise<Stub> {
  const started = await startStub({ key: "right", models: ["m"], steps: [{ say: "Hello." }], ...more });
  onTestFinished(() => started.close());
  return started;
}

interface Call {
  path: (urls: Stub["urls"]) => string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** A request of each interface that its maker would answer. */
const calls: Record<string, Call> = {
  anthropic: {
    path: ({ anthropic }) => `${anthropic}/v1/messages`,
    headers: { "x-api-key": "right", "anthropic-version": "2023-06-01" },
    body: { model: "m", max_tokens: 10, messages: [{ role: "user", content: "Hi." }] },
  },
  responses: {
    path: ({ openai }) => `${openai}/responses`,
    headers: { authorization: "Bearer right" },
    body: { model: "m", input: [{ type: "message", role: "user", content: "Hi." }] },
  },
  chat: {
    path: ({ openai }) => `${openai}/chat/completions`,
    headers: { authorization: "Bearer right" },
    body: { model: "m", messages: [{ role: "user", content: "Hi." }] },
  },
  gemini: {
    path: ({ gemini }) => `${gemini}/v1beta/models/m:generateContent`,
    headers: { "x-goog-api-key": "right" },
    body: { contents: [{ role: "user", parts: [{ text: "Hi." }] }] },
  },
};
const each = test.each(Object.entries(calls));

function send({ path, headers, body }: Call, { urls }: Stub): Promise<Response> {
  return fetch(path(urls), { method: "POST", headers, body: JSON.stringify(body) });
}

each("%s answers what is no part of the script, with what it used", async (_, call) => {
  const answer = await send(call, await stub());
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text).toContain("Nothing.");
  expect(text).toMatch(/1001|1201/);
});

each("%s refuses a wrong key", async (_, call) => {
  const headers = Object.fromEntries(
    Object.entries(call.headers).map(([name, value]) => [name, value.replace("right", "wrong")]),
  );
  const answer = await send({ ...call, headers }, await stub());
  expect(answer.status).toBe(401);
  expect(await answer.text()).toContain("error");
});

each("%s refuses a model it does not know", async (_, call) => {
  expect((await send(call, await stub({ models: ["other"] }))).status).toBe(404);
});

each("%s refuses a request without its messages", async (_, call) => {
  const { input, messages, contents, ...body } = call.body;
  expect([input, messages, contents].filter(Boolean)).toHaveLength(1);
  expect((await send({ ...call, body }, await stub())).status).toBe(400);
});

test("a call of a tool that was never answered is refused", async () => {
  const { anthropic } = calls;
  if (!anthropic) throw new Error("unreachable");
  const use = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Bash", input: {} }] };
  const messages = [{ role: "user", content: "Hi." }, use, { role: "user", content: "And?" }];
  const answer = await send({ ...anthropic, body: { ...anthropic.body, messages } }, await stub());
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("without tool_result blocks: t1");
});

each("%s breaks off, says nothing or is gone where it is told to", async (_, call) => {
  const streamed = { ...call, body: { ...call.body, stream: true } };
  const path = call.path;
  const cut = {
    ...streamed,
    path: (urls: Stub["urls"]) => path(urls).replace(":generateContent", ":streamGenerateContent"),
  };
  const answer = await send(cut, await stub({ trouble: { from: 0, what: "cut" } }));
  await expect(answer.text()).rejects.toThrow("terminated");
  await expect(send(call, await stub({ trouble: { from: 0, what: "gone" } }))).rejects.toThrow("fetch failed");
});
