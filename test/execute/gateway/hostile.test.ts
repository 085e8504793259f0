import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { Account } from "../../../src/execute/gateway/account.js";
import { readBody } from "../../../src/execute/gateway/bodies.js";
import { anthropicStream, ask, events, gatewayTo, json, realKey, startMaker } from "./maker.js";

/** Raw bytes to the gateway, and all it says until it closes. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const said: string[] = [];
  socket.on("data", (chunk) => said.push(chunk.toString()));
  socket.on("error", () => undefined);
  socket.end(text);
  await once(socket, "close");
  return said.join("");
}

test.each([
  "/anthropic/v1/../admin",
  "/anthropic/v1/messages/../../v1/organizations",
  "/anthropic//v1/messages",
  "/anthropic/v1/messages%2f..%2fkeys",
  "/anthropic/v1/files",
  "/anthropic/v1/messages/batches",
  "/gemini/v1beta/models/x/../y:generateContent",
  "/gemini/v1beta/models/..:generateContent/",
  "/gemini/v1beta/models/..:generateContent",
  "/gemini/v1beta/models/.:countTokens",
  "/openai/v1/files",
  "http://evil.example/v1/messages",
  "//evil.example/v1/messages",
])("the path %s is passed on to nobody", async (path) => {
  const maker = await startMaker(events(anthropicStream));
  const { gateway, run } = await gatewayTo(maker);
  const token = run().access.token.reveal();
  const head = `Host: x\r\nx-api-key: ${token}\r\nx-goog-api-key: ${token}\r\nAuthorization: Bearer ${token}\r\n`;
  const said = await raw(gateway.port, `POST ${path} HTTP/1.1\r\n${head}Content-Length: 2\r\n\r\n{}`);
  expect(said).toMatch(/^HTTP\/1\.1 404 /);
  expect(maker.asked).toEqual([]);
});

test.each([
  ["none", {}],
  ["a guess", { "x-api-key": "multirun-guess" }],
  ["the real key", { "x-api-key": realKey }],
])("%s is no token", async (_, headers) => {
  const maker = await startMaker(events(anthropicStream));
  const run = (await gatewayTo(maker)).run();
  const answer = await fetch(`${run.access.urls.anthropic}/v1/messages`, { method: "POST", headers, body: "{}" });
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ type: "error", error: { type: "authentication_error" } });
  expect(maker.asked).toEqual([]);
});

test("a token is worth nothing once its run has ended", async () => {
  const maker = await startMaker(events(anthropicStream));
  const run = (await gatewayTo(maker)).run();
  run.close();
  expect((await ask(run)).status).toBe(401);
});

test.each([
  ["a tunnel", "CONNECT api.example:443 HTTP/1.1\r\nHost: api.example\r\n\r\n"],
  ["an upgrade", "GET /anthropic/v1/models HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"],
  [
    "two lengths",
    "POST /anthropic/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
  ],
  ["no HTTP", "hello\r\n\r\n"],
  ["a huge header", `GET /anthropic/v1/models HTTP/1.1\r\nHost: x\r\nX-Big: ${"x".repeat(100_000)}\r\n\r\n`],
])("%s gets nowhere, and the gateway lives on", async (_, text) => {
  const maker = await startMaker(events(anthropicStream));
  const { gateway, run } = await gatewayTo(maker);
  expect(await raw(gateway.port, text)).not.toMatch(/^HTTP\/1\.1 [23]/);
  expect(maker.asked).toEqual([]);
  expect((await ask(run())).status).toBe(200);
});

test("a request over 64 MiB is refused, and not kept", async () => {
  const maker = await startMaker(events(anthropicStream));
  const run = (await gatewayTo(maker)).run();
  const answer = await ask(run, { messages: ["x".repeat(65 * 1024 * 1024)] }).catch(() => undefined);
  // The connection may end before the answer is read.
  if (answer) expect(answer.status).toBe(413);
  expect(maker.asked).toEqual([]);
});

test("a redirect is not followed, nor handed on", async () => {
  const elsewhere = await startMaker(json(200, {}));
  const maker = await startMaker(json(307, {}, { location: `${elsewhere.url}/v1/messages` }));
  const run = (await gatewayTo(maker)).run();
  const answer = await ask(run);
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({
    type: "error",
    error: { type: "api_error", message: expect.stringContaining("redirects") },
  });
  expect(elsewhere.asked).toEqual([]);
});

test("nonsense about cost is no cost, and a lie about cost cannot lower what was spent", async () => {
  const start = { type: "message_start", message: { usage: { input_tokens: 1_000, output_tokens: 5 } } };
  const lies = [
    { usage: { input_tokens: -5, output_tokens: "9" } },
    { usage: { __proto__: { output_tokens: 9 } } },
    7,
    null,
  ];
  const maker = await startMaker(events([start, ...lies.map((each) => each && Object(each))]));
  const run = (await gatewayTo(maker)).run();
  await (await ask(run)).text();
  expect(run.metered().usage.tokens).toEqual({ input: 1_000, output: 5, cached: 0 });
});

test("a key that a maker says back is taken out, also where it comes in pieces, and nothing else is kept waiting", async () => {
  const texts = ["data: sk-", `real-and-secret ${realKey} sk-real-a`, "nd-not\n\n", "data: sk-real"];
  const maker = await startMaker(async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const text of texts) {
      response.write(text);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    response.end();
  });
  const run = (await gatewayTo(maker)).run();
  expect(await (await ask(run)).text()).toBe("data: *** *** sk-real-and-not\n\ndata: sk-real");
});

test("requests that come behind one another on one connection are answered each, in their order", async () => {
  const maker = await startMaker(json(200, { id: "one" }), json(200, { id: "two" }));
  const { gateway, run } = await gatewayTo(maker);
  const head = `Host: x\r\nx-api-key: ${run().access.token.reveal()}\r\nContent-Length: 2\r\n\r\n{}`;
  const message = `POST /anthropic/v1/messages HTTP/1.1\r\n${head}`;
  const socket = connect(gateway.port, "127.0.0.1");
  const said: string[] = [];
  socket.on("data", (chunk) => said.push(String(chunk))).write(message + message);
  await expect.poll(() => said.join("")).toMatch(/"one"[\s\S]*"two"/);
  socket.destroy();
});

test("a body that does not come ends with the run's time, and so does one that comes drop by drop", async () => {
  const maker = await startMaker(json(200, {}));
  const { gateway, run } = await gatewayTo(maker);
  const token = run({ deadline: Date.now() + 300 }).access.token.reveal();
  const socket = connect(gateway.port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(`POST /anthropic/v1/messages HTTP/1.1\r\nHost: x\r\nx-api-key: ${token}\r\nContent-Length: 99\r\n\r\n`);
  const drops = setInterval(() => socket.write("{"), 20);
  await once(socket.resume(), "close");
  clearInterval(drops);
  expect(maker.asked).toEqual([]);
});

test("bodies of all calls together are bounded, and what is refused is given back", async () => {
  const account = new Account({ budgetUsd: null, spentUsd: 0, heldUsd: 0 }, null);
  const bodies = { held: 512 * 1024 * 1024 - 10 };
  const before = bodies.held;
  const request = (...chunks: string[]) => Readable.from(chunks.map((each) => Buffer.from(each))) as never;
  expect(await readBody(request("12345", "678901"), account, bodies)).toBeUndefined();
  expect(bodies.held).toBe(before);
  const read = await readBody(request("12345"), account, bodies);
  expect(String(read?.body)).toBe("12345");
  expect(bodies.held).toBe(before + 5);
  read?.done();
  read?.done();
  expect(bodies.held).toBe(before);
});

test("a call that waited for its turn does not go where meanwhile its agent has left or its budget was used up", async () => {
  const maker = await startMaker(events(anthropicStream));
  const turns: (() => void)[] = [];
  const sleep = () => new Promise<void>((resolve) => void turns.push(resolve));
  const { run } = await gatewayTo(maker, { staggerMs: 60_000, sleep, totalBudgetUsd: 0.01 });
  const [first, second, third] = [run(), run(), run()];
  const leave = new AbortController();
  const asking = [ask(first), ask(second), ask(third, {}, {}, leave.signal)] as const;
  expect((await asking[0]).status).toBe(200);
  await (await asking[0]).text();
  await expect.poll(() => turns.length).toBe(2);
  leave.abort();
  await expect(asking[2]).rejects.toThrow();
  for (const go of turns) go();
  expect((await asking[1]).status).toBe(400);
  expect(second.metered().stopped?.outcome).toBe("over_budget");
  expect(third.metered().requests).toBe(0);
  expect(maker.asked).toHaveLength(1);
});

test("a run that is kept waiting as its maker asks all to wait is known to wait", async () => {
  const busy = json(429, { error: { type: "rate_limit_error" } }, { "retry-after": "1" });
  const maker = await startMaker(busy, events(anthropicStream));
  const { run } = await gatewayTo(maker);
  const [first, second] = [run(), run()];
  const asking = [ask(first)];
  await expect.poll(() => first.metered().refused).not.toBeNull();
  asking.push(ask(second));
  await expect
    .poll(() => second.metered().refused)
    .toEqual({ outcome: "overloaded", reason: "the model's maker asks all to wait, and was still waited for" });
  for (const each of asking) expect((await each).status).toBe(200);
  expect(second.metered().refused).toBeNull();
});
