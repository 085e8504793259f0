import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
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
