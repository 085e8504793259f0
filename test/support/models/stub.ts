import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Protocol } from "../../../src/model/agent.js";
import { anthropic } from "./anthropic.js";
import { gemini } from "./gemini.js";
import { chat, responses } from "./openai.js";
import { callFor, type Step, usageOf } from "./script.js";
import { type Asked, demand, isRecord, type Refusal, type Wire } from "./wire.js";

/** What goes wrong, from the request for a step on: `cut` ends the stream after its first events, `silent` never answers. */
export type Trouble = { refusal: Refusal; retryAfterS?: number } | "cut" | "silent" | "gone";

export interface StubOptions {
  key: string;
  models: readonly string[];
  steps: readonly Step[];
  trouble?: { from: number; what: Trouble };
}

export interface Stub {
  /** Base URLs as the makers' own libraries take them. */
  urls: Record<Protocol, string>;
  /** What came in, in order: refused or not. */
  requests: StubRequest[];
  close(): Promise<void>;
}

export interface StubRequest {
  path: string;
  status: number | "cut" | "silent" | "gone";
  /** Undefined for what was no request for an answer. */
  asked?: Asked;
  problem?: string;
}

/** Where each maker's interface lies below the stub's address. */
const places: readonly [base: string, wire: Wire][] = [
  ["/anthropic", anthropic],
  ["/openai/v1", responses],
  ["/openai/v1", chat],
  ["/gemini", gemini],
];

/**
 * A model on loopback that follows a script, in the words of all makers, and refuses what they refuse: a wrong key, an
 * unknown model, a request that is malformed.
 */
export async function startStub(options: StubOptions): Promise<Stub> {
  const requests: StubRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, { options, requests }).catch((error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    urls: { anthropic: `${at}/anthropic`, openai: `${at}/openai/v1`, gemini: `${at}/gemini` },
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface State {
  options: StubOptions;
  requests: StubRequest[];
}

async function answer(request: IncomingMessage, response: ServerResponse, { options, requests }: State): Promise<void> {
  const url = new URL(request.url ?? "/", "http://stub");
  const note = (status: StubRequest["status"], more: Partial<StubRequest> = {}) =>
    requests.push({ path: url.pathname, status, ...more });
  const place = places.find(
    ([base, wire]) => url.pathname.startsWith(base) && wire.serves(url.pathname.slice(base.length)),
  );
  const body = await bodyOf(request);
  if (!place || request.method !== "POST") {
    note(404);
    response.writeHead(404).end();
    return;
  }
  const [base, wire] = place;
  const path = url.pathname.slice(base.length);
  const refuse = (refusal: Refusal, headers: Record<string, string> = {}, asked?: Asked) => {
    note(refusal.status, { problem: refusal.message, ...(asked ? { asked } : {}) });
    response.writeHead(refusal.status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(wire.refusal(refusal)));
  };
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  if (wire.key(headers, url) !== options.key) {
    return refuse({ status: 401, kind: "authentication", message: "invalid x-api-key" });
  }
  let asked: Asked;
  try {
    asked = wire.read(parsed(body), { headers, path });
  } catch (error) {
    return refuse({ status: 400, kind: "invalid", message: error instanceof Error ? error.message : String(error) });
  }
  if (!options.models.includes(asked.model)) {
    return refuse({ status: 404, kind: "not_found", message: `model: ${asked.model}` }, {}, asked);
  }
  const { trouble } = options;
  const what = trouble && asked.results >= trouble.from ? trouble.what : undefined;
  if (typeof what === "object") {
    const wait: Record<string, string> = what.retryAfterS === undefined ? {} : { "retry-after": `${what.retryAfterS}` };
    return refuse(what.refusal, wait, asked);
  }
  note(what ?? 200, { asked });
  if (what === "gone") return void response.destroy();
  if (what === "silent") return;
  send(response, { wire, asked, options, number: requests.length, cut: what === "cut" });
}

interface Sending {
  wire: Wire;
  asked: Asked;
  options: StubOptions;
  number: number;
  cut: boolean;
}

function send(response: ServerResponse, { wire, asked, options, number, cut }: Sending): void {
  // What is asked without tools is a title or the like: no step of the script.
  const step = asked.tools.length === 0 ? undefined : options.steps[asked.results];
  const text = step === undefined ? "Nothing." : "say" in step ? step.say : "On it.";
  const call = step && callFor(step, asked.tools);
  const said = { number, text, usage: usageOf(number), ...(call ? { call } : {}) };
  if (!asked.stream) {
    if (cut) return void response.destroy();
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(wire.whole(said, asked)));
    return;
  }
  const events = wire.stream(said, asked);
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (!cut) {
    response.end(events.join(""));
    return;
  }
  // In the middle of an event, as a connection breaks.
  response.write(`${events[0]}${events[1]?.slice(0, 20)}`, () => response.destroy());
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Error("the body is no JSON");
  }
  demand(isRecord(body), "the body must be an object");
  return body;
}
