import { expect, test } from "vitest";
import { anthropicStream, ask, events, gatewayTo, json, model, realKey, startMaker, streamCost } from "./maker.js";

test("the agent's token becomes the real key, and neither is seen on the other side", async () => {
  const maker = await startMaker(events(anthropicStream));
  const run = (await gatewayTo(maker)).run();
  const answer = await ask(run, {}, { "anthropic-beta": "x", cookie: "a=b", "accept-encoding": "gzip" });
  expect(answer.status).toBe(200);
  expect(await answer.text()).not.toContain(realKey);
  const [asked] = maker.asked;
  expect(asked).toMatchObject({ method: "POST", url: "/v1/messages?beta=true" });
  expect(asked?.headers).toMatchObject({ "x-api-key": realKey, "anthropic-beta": "x", "accept-encoding": "identity" });
  expect(asked?.headers).not.toHaveProperty("cookie");
  expect(JSON.stringify(asked)).not.toContain(run.access.token.reveal());
});

test("an answer is passed on chunk by chunk, and counted once by what it says last", async () => {
  const maker = await startMaker(events(anthropicStream, { everyMs: 20 }));
  const run = (await gatewayTo(maker)).run();
  const answer = await ask(run);
  const chunks: string[] = [];
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>)
    chunks.push(Buffer.from(chunk).toString());
  expect(chunks.length).toBeGreaterThan(2);
  expect(chunks.join("")).toBe(anthropicStream.map((each) => `event: x\ndata: ${JSON.stringify(each)}\n\n`).join(""));
  const { usage, requests, bytes, stopped } = run.metered();
  expect(usage).toEqual({ costUsd: streamCost, tokens: { input: 1_000, output: 500, cached: 2_000 } });
  expect({ requests, stopped }).toEqual({ requests: 1, stopped: null });
  expect(bytes).toBeGreaterThan(300);
});

test("Responses and Chat Completions say their cost at the end, with what was cached inside the input", async () => {
  const usage = { input_tokens: 100, input_tokens_details: { cached_tokens: 40 }, output_tokens: 7 };
  const chat = { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 4 }, completion_tokens: 3 };
  const maker = await startMaker(
    events([
      { type: "response.created", response: { usage: null } },
      { type: "response.completed", response: { usage } },
    ]),
    events([{ choices: [] }, { choices: [], usage: chat }]),
    json(200, { id: "c", usage: chat }),
  );
  const run = (await gatewayTo(maker)).run();
  const post = (path: string, body: object) =>
    fetch(`${run.access.urls.openai}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${run.access.token.reveal()}` },
      body: JSON.stringify({ model, ...body }),
    }).then((answer) => answer.text());
  await post("/responses", { stream: true, input: "x" });
  expect(run.metered().usage.tokens).toEqual({ input: 60, output: 7, cached: 40 });
  await post("/chat/completions", { stream: true, messages: [] });
  expect(JSON.parse(maker.asked[1]?.body ?? "")).toMatchObject({ stream_options: { include_usage: true } });
  await post("/chat/completions", { messages: [] });
  expect(run.metered().usage.tokens).toEqual({ input: 72, output: 13, cached: 48 });
});

test("Gemini's chunks say each what the call has cost so far, in a stream and in a list", async () => {
  const chunk = (total: number, finishReason?: string) => ({
    candidates: [finishReason ? { finishReason } : {}],
    usageMetadata: {
      promptTokenCount: 50,
      cachedContentTokenCount: 20,
      candidatesTokenCount: total,
      thoughtsTokenCount: 1,
    },
  });
  const maker = await startMaker(events([chunk(1), chunk(5, "STOP")]), json(200, [chunk(2), chunk(6, "STOP")]));
  const run = (await gatewayTo(maker)).run();
  for (const query of ["?alt=sse&key=", "?key="]) {
    const url = `${run.access.urls.gemini}/v1beta/models/${model}:streamGenerateContent${query}${run.access.token.reveal()}`;
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(200);
  }
  await expect.poll(() => run.metered().usage).toMatchObject({ tokens: { input: 60, output: 13, cached: 40 } });
  expect(maker.asked.map(({ url }) => url)).toEqual([
    `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    `/v1beta/models/${model}:streamGenerateContent`,
  ]);
  expect(run.metered().usage.atLeast).toBeUndefined();
});

test("an answer that is cut is cut toward the agent too, and what it cost is known in part", async () => {
  const maker = await startMaker(events(anthropicStream.slice(0, 2), { cut: true, everyMs: 30 }));
  const run = (await gatewayTo(maker)).run();
  await expect(ask(run).then((answer) => answer.text())).rejects.toThrow();
  await expect
    .poll(() => run.metered().usage)
    .toMatchObject({ atLeast: true, tokens: { input: 1_000, cached: 2_000 } });
});

test("a model without a price costs an unknown amount, which is not nothing", async () => {
  const maker = await startMaker(events(anthropicStream));
  const run = (await gatewayTo(maker)).run();
  await (await ask(run, { model: "brand-new" })).text();
  expect(run.metered().usage).toEqual({ costUsd: null, tokens: { input: 1_000, output: 500, cached: 2_000 } });
  await (await ask(run)).text();
  expect(run.metered().usage).toMatchObject({ costUsd: streamCost, atLeast: true });
});

test("when an agent leaves, its call is ended at the maker's", async () => {
  const maker = await startMaker(
    events(
      Array.from({ length: 1_000 }, () => anthropicStream[1]),
      { everyMs: 5 },
    ),
  );
  let gone = false;
  maker.replies[0] = ((inner) => async (response, asked) => {
    response.once("close", () => {
      gone = !response.writableFinished;
    });
    await inner?.(response, asked);
  })(maker.replies[0]);
  const run = (await gatewayTo(maker)).run();
  const answer = await ask(run);
  await answer.body?.cancel();
  await expect.poll(() => gone).toBe(true);
});

test("no call outlives the run's deadline, and none is passed on after the gateway is closed", async () => {
  const maker = await startMaker(() => undefined);
  const { gateway, run } = await gatewayTo(maker);
  await expect(ask(run({ deadline: Date.now() + 100 }))).rejects.toThrow();
  const late = run();
  await gateway.close();
  await expect(ask(late)).rejects.toThrow();
});

test("runs begin one after the other, and go on without waiting", async () => {
  const maker = await startMaker(events(anthropicStream));
  const slept: number[] = [];
  const sleep = async (ms: number) => void slept.push(ms);
  const { run } = await gatewayTo(maker, { staggerMs: 1_000, now: () => 5_000, sleep });
  const runs = [run({ deadline: 65_000 }), run({ deadline: 65_000 }), run({ deadline: 65_000 })];
  for (const each of [...runs, ...runs]) await (await ask(each)).text();
  expect(slept).toEqual([1_000, 2_000]);
});
