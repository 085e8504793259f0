import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { onTestFinished } from "vitest";
import {
  type Gateway,
  type GatewayOptions,
  type GatewayRun,
  openGateway,
} from "../../../src/execute/gateway/gateway.js";
import type { Protocol } from "../../../src/model/agent.js";
import { Secret } from "../../../src/model/secret.js";

export const realKey = "sk-real-and-secret";

/** What a maker was asked. */
export interface Asked {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export type Reply = (response: ServerResponse, asked: Asked) => void | Promise<void>;

export interface Maker {
  url: string;
  asked: Asked[];
  /** Answers in order, the last one for ever; a maker refuses a wrong key and a model it does not have before these. */
  replies: Reply[];
  close(): Promise<void>;
}

/** A maker's server on loopback that refuses what the real ones refuse. */
export async function startMaker(...replies: Reply[]): Promise<Maker> {
  const maker: Maker = { url: "", asked: [], replies, close: async () => undefined };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    const asked = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
    maker.asked.push(asked);
    const key =
      request.headers["x-api-key"] ??
      request.headers["x-goog-api-key"] ??
      request.headers.authorization?.replace("Bearer ", "");
    if (key !== realKey)
      return json(401, { type: "error", error: { type: "authentication_error", message: "invalid" } })(response);
    if (body.includes('"no-such-model"'))
      return json(404, { type: "error", error: { type: "not_found_error", message: "model: no-such-model" } })(
        response,
      );
    const reply = maker.replies.length > 1 ? maker.replies.shift() : maker.replies[0];
    await reply?.(response, asked);
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  maker.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  maker.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(maker.close);
  return maker;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return (response: ServerResponse): void => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}

/** Server-sent events, one write each. */
export function events(messages: readonly unknown[], { cut = false, everyMs = 0 } = {}): Reply {
  return async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const message of messages) {
      response.write(`event: x\ndata: ${JSON.stringify(message)}\n\n`);
      if (everyMs > 0) await wait(everyMs);
    }
    if (cut) response.destroy();
    else response.end();
  };
}

/** An answer of Anthropic's: 1,000 tokens read, 2,000 from the cache, 500 written. */
export const anthropicStream = [
  {
    type: "message_start",
    message: { id: "m1", usage: { input_tokens: 1_000, cache_read_input_tokens: 2_000, output_tokens: 1 } },
  },
  { type: "content_block_delta", delta: { type: "text_delta", text: "hello" } },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 500 } },
  { type: "message_stop" },
];

export const model = "test-model";
export const prices = { [model]: { input: 10, output: 100, cacheRead: 1 } };
/** What `anthropicStream` costs at these prices. */
export const streamCost = (1_000 * 10 + 2_000 * 1 + 500 * 100) / 1_000_000;

export interface Opened {
  gateway: Gateway;
  warnings: string[];
  run(more?: { budgetUsd?: number; deadline?: number }): GatewayRun;
}

/** A gateway before this maker, for all protocols. */
export async function gatewayTo(maker: Pick<Maker, "url">, more: Partial<GatewayOptions> = {}): Promise<Opened> {
  const key = new Secret(realKey);
  const warnings: string[] = [];
  const upstreams: Record<Protocol, string> = { anthropic: maker.url, openai: maker.url, gemini: maker.url };
  const gateway = await openGateway({
    keys: { anthropic: key, openai: key, gemini: key },
    upstreams,
    prices,
    totalBudgetUsd: null,
    alreadySpentUsd: 0,
    staggerMs: 0,
    now: Date.now,
    sleep: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
    log: { info: () => undefined, warn: (line) => warnings.push(line) },
    random: () => 0,
    ...more,
  });
  onTestFinished(() => gateway.close());
  return {
    gateway,
    warnings,
    run: ({
      budgetUsd = null,
      deadline = Date.now() + 60_000,
    }: {
      budgetUsd?: number | null;
      deadline?: number;
    } = {}) => gateway.open({ budgetUsd, deadline }),
  };
}

/** Asks as an agent of Anthropic's does. */
export function ask(
  run: GatewayRun,
  body: object = {},
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  return fetch(`${run.access.urls.anthropic}/v1/messages?beta=true`, {
    method: "POST",
    headers: { "x-api-key": run.access.token.reveal(), "content-type": "application/json", ...headers },
    body: JSON.stringify({ model, stream: true, max_tokens: 10, messages: [], ...body }),
    signal,
  });
}
