import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { GatewayRun } from "../../../src/execute/gateway/gateway.js";
import { anthropicStream, ask, events, gatewayTo, json, model, startMaker } from "./maker.js";

/** At the test's prices 1,000 tokens of an answer are ten cents. */
const budgetUsd = 0.09;

/** Asks as an agent of OpenAI's or Gemini's does. */
function post(
  run: GatewayRun,
  protocol: "openai" | "gemini",
  path: string,
  body: object,
  headers = {},
): Promise<Response> {
  const authorization = `Bearer ${run.access.token.reveal()}`;
  return fetch(`${run.access.urls[protocol]}${path}`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** Sends OpenAI a body as it stands. */
function raw(run: GatewayRun, body: string): Promise<Response> {
  const authorization = `Bearer ${run.access.token.reveal()}`;
  const headers = { authorization, "content-type": "application/json" };
  return fetch(`${run.access.urls.openai}/responses`, { method: "POST", headers, body });
}

const heldBack = /^its budget of \$0\.09 is used up, with up to \$0\.\d\d for calls that were cut before they said/;

async function expectHeld(run: GatewayRun, spentUsd: number): Promise<void> {
  await expect.poll(() => run.metered().usage.atLeast).toBe(true);
  expect(run.metered().usage.costUsd).toBeCloseTo(spentUsd, 10);
  const refused = await ask(run);
  expect(refused.status).toBe(400);
  expect(run.metered().stopped?.reason).toMatch(heldBack);
}

test("a call that an agent hangs up on counts as the most it can have cost toward the budget, and as what it said in the sum", async () => {
  const maker = await startMaker(events(anthropicStream, { everyMs: 50 }));
  const run = (await gatewayTo(maker)).run({ budgetUsd });
  const answer = await ask(run, { max_tokens: 1_000 });
  const reader = answer.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await expectHeld(run, (1_000 * 10 + 2_000 * 1 + 1 * 100) / 1_000_000);
});

test("so does a call that is given up before its answer begins", async () => {
  const maker = await startMaker(() => undefined);
  const run = (await gatewayTo(maker)).run({ budgetUsd });
  const leave = new AbortController();
  const asking = ask(run, { max_tokens: 1_000 }, {}, leave.signal);
  await expect.poll(() => maker.asked.length).toBe(1);
  leave.abort();
  await expect(asking).rejects.toThrow();
  await expectHeld(run, 0);
});

test.each([
  ["is compressed all the same", json(200, { usage: {} }, { "content-encoding": "gzip" })],
  ["leaves its cost out", json(200, { id: "x" })],
])("so does a call whose answer %s", async (_, reply) => {
  const maker = await startMaker(reply);
  const run = (await gatewayTo(maker)).run({ budgetUsd });
  await (await ask(run, { max_tokens: 1_000 })).arrayBuffer().catch(() => undefined);
  await expectHeld(run, 0);
});

test("a call that says no limit counts as the longest answer there is, and one that leans on more than itself as the largest context", async () => {
  const maker = await startMaker(json(200, { id: "x" }));
  const { run } = await gatewayTo(maker);
  // 128,000 tokens written are $12.80; a million read are $10.
  const [long, leaning] = [run({ budgetUsd: 12 }), run({ budgetUsd: 9.9 })];
  await (await post(long, "openai", "/responses", { model, input: "x" })).text();
  expect((await post(long, "openai", "/responses", { model, input: "x" })).status).toBe(400);
  const following = { model, input: "x", previous_response_id: "r", max_output_tokens: 10 };
  await (await post(leaning, "openai", "/responses", following)).text();
  expect((await post(leaning, "openai", "/responses", following)).status).toBe(400);
});

test.each([
  ["a stored prompt", '"prompt":{"id":"p"}'],
  ["an item kept there", '"input":[{"type":"item_reference","id":"i"}]'],
  ["a name spelt with escapes", '"previous\\u005fresponse_id":"r"'],
])("so does a call that leans on %s", async (_, leaning) => {
  const maker = await startMaker(json(200, { id: "x" }));
  const run = (await gatewayTo(maker)).run({ budgetUsd: 9.9 });
  const send = () => raw(run, `{"model":"${model}","max_output_tokens":10,${leaning}}`);
  await (await send()).text();
  expect((await send()).status).toBe(400);
});

test("with a budget a maker gets what was judged: of a name that stands twice the value that was read", async () => {
  const maker = await startMaker(json(200, { usage: { input_tokens: 1, output_tokens: 1 } }));
  const { run } = await gatewayTo(maker);
  const twice = `{"model":"dear","service_tier":"priority","model":"${model}","service_tier":"default"}`;
  await raw(run({ budgetUsd: 1 }), twice);
  await raw(run(), twice);
  expect(maker.asked.map(({ body }) => body)).toEqual([`{"model":"${model}","service_tier":"default"}`, twice]);
});

test("an answer that its maker breaks off costs the budget what it said, no more", async () => {
  const maker = await startMaker(
    events(anthropicStream.slice(0, 2), { cut: true, everyMs: 30 }),
    events(anthropicStream),
  );
  const run = (await gatewayTo(maker)).run({ budgetUsd });
  await expect(ask(run, { max_tokens: 1_000 }).then((answer) => answer.text())).rejects.toThrow();
  await expect.poll(() => run.metered().usage.atLeast).toBe(true);
  expect((await ask(run)).status).toBe(200);
});

test("an answer that its maker breaks off as the agent does not read it counts as the most it can have cost", async () => {
  const large = "x".repeat(1_000_000);
  const maker = await startMaker(async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let at = 0; at < 30; at++) response.write(`data: ${large}\n\n`);
    await wait(1_500);
    response.destroy();
  });
  const run = (await gatewayTo(maker)).run({ budgetUsd });
  const answer = await ask(run, { max_tokens: 1_000 });
  await wait(2_000);
  await expect(answer.text()).rejects.toThrow();
  await expectHeld(run, 0);
});

test("what is held back of one run is held back of the budget of all", async () => {
  const maker = await startMaker(json(200, { id: "x" }));
  const { run } = await gatewayTo(maker, { totalBudgetUsd: budgetUsd });
  const [first, second] = [run(), run()];
  await (await ask(first, { max_tokens: 1_000 })).text();
  expect((await ask(second)).status).toBe(400);
  expect(second.metered().stopped?.reason).toMatch(/^the budget of \$0\.09 for all runs is used up, with up to \$0\.1/);
});

test("calls that never say what they cost do not pass, nor with a budget those that cost more than their price", async () => {
  const maker = await startMaker(json(200, { usage: { input_tokens: 1, output_tokens: 1 } }));
  const { run } = await gatewayTo(maker);
  const [free, limited] = [run(), run({ budgetUsd: 1 })];
  const refused = await post(free, "openai", "/responses", { model, background: true });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    error: { type: "invalid_request_error", message: expect.stringContaining("leave background out") },
  });
  const dear = { model, service_tier: "priority" };
  expect((await post(limited, "openai", "/responses", dear)).status).toBe(400);
  expect((await post(limited, "openai", "/responses", { ...dear, service_tier: "flex" })).status).toBe(200);
  expect((await post(free, "openai", "/responses", dear)).status).toBe(200);
  expect((await ask(limited, { speed: "fast" })).status).toBe(400);
  // The call is refused, the run goes on.
  expect([free, limited].map((each) => each.metered().stopped)).toEqual([null, null]);
});

test("what a query or a header could change of what a call says or is, is dropped", async () => {
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 2 };
  const maker = await startMaker(json(200, { candidates: [{ finishReason: "STOP" }], usageMetadata }));
  const run = (await gatewayTo(maker)).run();
  const path = `/v1beta/models/${model}:generateContent?fields=candidates&alt=media&$fields=x&alt=json&quotaUser=x`;
  const hostile = {
    "x-goog-fieldmask": "candidates",
    "x-http-method-override": "DELETE",
    "openai-project": "other",
    "x-stainless-lang": "js",
    "x-goog-user-project": "other",
  };
  expect((await post(run, "gemini", path, {}, hostile)).status).toBe(200);
  const [asked] = maker.asked;
  expect(asked?.url).toBe(`/v1beta/models/${model}:generateContent?alt=json`);
  expect(Object.keys(asked?.headers ?? {}).filter((name) => name in hostile)).toEqual(["x-stainless-lang"]);
  expect(run.metered().usage).toMatchObject({ tokens: { input: 5, output: 2 } });
});

test("what is written to a cache is told apart where OpenAI says it", async () => {
  const usage = {
    input_tokens: 1_000,
    input_tokens_details: { cached_tokens: 200, cache_write_tokens: 300 },
    output_tokens: 10,
  };
  const maker = await startMaker(json(200, { usage }));
  const prices = { [model]: { input: 10, output: 100, cacheRead: 1, cacheWrite: 20 } };
  const run = (await gatewayTo(maker, { prices })).run();
  await (await post(run, "openai", "/responses", { model })).text();
  await expect.poll(() => run.metered().usage.costUsd).toBeCloseTo((500 * 10 + 200 + 300 * 20 + 10 * 100) / 1e6, 10);
  expect(run.metered().usage.tokens).toEqual({ input: 800, output: 10, cached: 200 });
});

test("ten calls of a run are under way at once, the others wait, and another run's do not", async () => {
  const waiting: (() => void)[] = [];
  const maker = await startMaker((response) => void waiting.push(() => json(200, { usage: {} })(response)));
  const { run } = await gatewayTo(maker);
  const [many, other] = [run(), run()];
  const asking = Array.from({ length: 15 }, () => ask(many));
  await expect.poll(() => maker.asked.length).toBe(10);
  const single = ask(other);
  await expect.poll(() => maker.asked.length).toBe(11);
  for (const answer of waiting.splice(0)) answer();
  expect((await single).status).toBe(200);
  await expect.poll(() => waiting.length).toBe(5);
  for (const answer of waiting.splice(0)) answer();
  for (const each of asking) expect((await each).status).toBe(200);
});
