import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { ModelStop } from "../../model/agent.js";
import { redact, type Secret } from "../../model/secret.js";
import type { Account } from "./account.js";
import { costOf } from "./counted.js";
import type { Dialect, Refusal } from "./dialect.js";
import { meterOf } from "./meter.js";
import { type Prices, priceOf } from "./prices.js";
import type { Answer, Upstream, UpstreamCall } from "./upstream.js";

/** The way to one maker. */
export interface Door {
  dialect: Dialect;
  key: Secret | undefined;
  upstream: Upstream;
  /** Why nobody is let through any more. */
  stopped: ModelStop | null;
}

/** One request of an agent, and all that is known of it. */
export interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  door: Door;
  /** Path and query as the maker knows them; untrusted. */
  target: string;
  runOf: (token: string) => { account: Account; deadline: number; turn: () => Promise<void> } | undefined;
  prices: Prices;
  stopAll: (stop: ModelStop) => void;
  now: () => number;
}

const bodyLimit = 64 * 1024 * 1024;

/** Never to be passed on in either direction: they are about one connection, or about who somebody is. */
const ownHeaders = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer"],
  ...["transfer-encoding", "upgrade", "host", "content-length", "expect", "accept-encoding", "cookie", "set-cookie"],
  ...["authorization", "x-api-key", "api-key", "x-goog-api-key", "openai-organization", "anthropic-organization-id"],
]);

/** Answers one request; whatever happens, the agent hears of it in its maker's own form or sees the connection end. */
export async function passOn(call: Call): Promise<void> {
  const { response, door } = call;
  try {
    await answer(call);
  } catch {
    if (response.headersSent) response.destroy();
    else refuse(response, door.dialect, { status: 502, message: "the gateway could not pass this call on" });
  }
}

async function answer(call: Call): Promise<void> {
  const { request, response, door, target } = call;
  const { dialect } = door;
  const [path = "", query = ""] = target.split("?", 2);
  const search = new URLSearchParams(query);
  const run = call.runOf(dialect.tokenIn(request.headers, search) ?? "");
  if (!run) return refuse(response, dialect, { status: 401, message: "this is no token of a running agent" });
  const route = dialect.routes.find((each) => each.method === request.method && each.path.test(path));
  if (!route) return refuse(response, dialect, { status: 404, message: "multirun passes on model calls only" });
  const { account } = run;
  const stop = door.stopped ?? account.refusal();
  if (stop) return refuseFor(call, account, stop);
  if (!door.key) {
    const reason = `there is no key for this model: set ${dialect.keyVariable}`;
    return refuseFor(call, account, { outcome: "refused", reason });
  }
  const body = await bodyOf(request, account);
  if (body === undefined) return refuse(response, dialect, { status: 413, message: "the request is over 64 MiB" });
  const asked = parsed(body);
  const model = dialect.modelOf(path, asked);
  const unpriced = route.generates && account.isLimited && priceOf(model ?? "", call.prices) === undefined;
  if (unpriced) return refuseFor(call, account, unpricedModel(model));
  if (route.generates) await run.turn();
  account.requests += 1;
  search.delete("key");
  const amended = dialect.amend?.(asked);
  const sent: UpstreamCall = {
    method: route.method,
    path: search.size > 0 ? `${path}?${search}` : path,
    headers: { ...passable(request.headers), ...dialect.keyHeaders(door.key), "accept-encoding": "identity" },
    body: route.method === "GET" ? undefined : amended === undefined ? body : Buffer.from(JSON.stringify(amended)),
    model,
    generates: route.generates,
    deadline: run.deadline,
    signal: untilGone(response, run.deadline - call.now()),
    onWait: (words) => {
      account.waitsFor = { outcome: "overloaded", reason: `${words}, and was still waited for` };
    },
  };
  if (sent.body) sent.headers["content-length"] = sent.body.length;
  const found = await door.upstream.send(sent);
  account.waitsFor = null;
  await reply(call, account, sent, found);
}

async function reply(call: Call, account: Account, sent: UpstreamCall, found: Answer): Promise<void> {
  const { response, door } = call;
  if (found.kind === "stop") {
    if (found.whom === "all") call.stopAll(found.stop);
    return refuseFor(call, account, found.stop);
  }
  if (found.kind === "open") return stream(call, account, sent, found.response);
  account.refused ??= found.refusal ?? null;
  const text = redact(found.body.toString("utf8"), door.key ? [door.key] : []);
  account.bytes += text.length;
  response.writeHead(found.status, { "content-type": found.contentType ?? "application/json" }).end(text);
}

/** Chunk by chunk, at the agent's pace, and metered on the way. */
function stream(call: Call, account: Account, sent: UpstreamCall, answered: IncomingMessage): Promise<void> {
  const { response, door, prices } = call;
  const kind = answered.headers["content-type"] ?? "";
  const meter = sent.generates ? meterOf(door.dialect, { stream: kind.includes("event-stream") }) : undefined;
  response.writeHead(answered.statusCode ?? 200, passable(answered.headers));
  response.flushHeaders();
  return new Promise((resolve) => {
    answered.on("data", (chunk: Buffer) => {
      account.bytes += chunk.length;
      meter?.push(chunk);
      if (!response.write(chunk)) answered.pause();
    });
    response.on("drain", () => answered.resume());
    answered.once("close", () => {
      const whole = answered.complete;
      if (meter) charge(meter.end(), { account, model: sent.model, prices, whole });
      // A cut answer must not look like a whole one.
      if (whole) response.end();
      else response.destroy();
      resolve();
    });
    answered.on("error", () => undefined);
    response.once("close", () => answered.destroy());
  });
}

function charge(
  tally: ReturnType<ReturnType<typeof meterOf>["end"]>,
  { account, model, prices, whole }: { account: Account; model: string | undefined; prices: Prices; whole: boolean },
): void {
  const price = priceOf(model ?? "", prices);
  const cost = price === undefined ? null : costOf(tally.counted, price);
  account.charge(tally.counted, cost, tally.complete && whole);
}

function unpricedModel(model: string | undefined): ModelStop {
  const name = JSON.stringify((model ?? "").slice(0, 100));
  const reason = `nobody knows what the model ${name} costs, so its budget cannot be kept: add it to prices`;
  return { outcome: "refused", reason };
}

/** Nobody tries again what can only fail again: hence no status that libraries take for bad weather. */
function refuseFor({ response, door }: Call, account: Account, stop: ModelStop): void {
  account.stopped ??= stop;
  refuse(response, door.dialect, { status: 400, message: `multirun: ${stop.reason}` });
}

/** A refusal in the maker's own form. */
export function refuse(response: ServerResponse, dialect: Dialect, refusal: Refusal): void {
  const text = JSON.stringify(dialect.error(refusal));
  response.req.resume();
  const headers = { "content-type": "application/json", "x-should-retry": "false", connection: "close" };
  response.writeHead(refusal.status, headers).end(text);
}

function passable(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set((headers.connection ?? "").toLowerCase().split(/\s*,\s*/));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name) && !named.has(name)));
}

/** Undefined where it is too long. */
async function bodyOf(request: IncomingMessage, account: Account): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    account.bytes += chunk.length;
    length += chunk.length;
    if (length > bodyLimit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined; // The maker will say so.
  }
}

/** Aborted when the agent has gone or its time is up. */
function untilGone(response: ServerResponse, leftMs: number): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const late = setTimeout(() => response.destroy(), Math.max(0, leftMs));
  late.unref();
  response.once("close", () => clearTimeout(late));
  return gone.signal;
}
