import type { IncomingMessage, ServerResponse } from "node:http";
import type PQueue from "p-queue";
import type { ModelStop } from "../../model/agent.js";
import type { Secret } from "../../model/secret.js";
import type { Account } from "./account.js";
import { type Bodies, readBody } from "./bodies.js";
import type { Dialect } from "./dialect.js";
import { forward } from "./forward.js";
import { askedHeaders } from "./headers.js";
import { type Prices, priceOf } from "./prices.js";
import { refuse } from "./refuse.js";
import type { Upstream, UpstreamCall } from "./upstream.js";

/** The way to one maker. */
export interface Door {
  dialect: Dialect;
  key: Secret | undefined;
  upstream: Upstream;
  /** Why nobody is let through any more. */
  stopped: ModelStop | null;
}

/** A run as the gateway knows it. */
export interface Caller {
  account: Account;
  /** Milliseconds since the epoch. */
  deadline: number;
  /** Resolves when its first call may go. */
  turn: () => Promise<void>;
  /** Its calls, of which so many are under way at once. */
  calls: PQueue;
  closed: boolean;
}

/** One request of an agent, and all that is known of it. */
export interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  door: Door;
  /** Path and query as the maker knows them; untrusted. */
  target: string;
  callerOf: (token: string) => Caller | undefined;
  bodies: Bodies;
  prices: Prices;
  stopAll: (stop: ModelStop) => void;
  now: () => number;
}

/** Answers one request; whatever happens, the agent hears of it in its maker's own form or sees the connection end. */
export async function passOn(call: Call): Promise<void> {
  const { request, response, door, target } = call;
  const { dialect } = door;
  try {
    const [path = "", query = ""] = target.split("?", 2);
    const search = new URLSearchParams(query);
    const caller = call.callerOf(dialect.tokenIn(request.headers, search) ?? "");
    if (!caller) return refuse(response, dialect, { status: 401, message: "this is no token of a running agent" });
    const route = dialect.routes.find((each) => each.method === request.method && each.path.test(path));
    if (!route) return refuse(response, dialect, { status: 404, message: "multirun passes on model calls only" });
    const gone = untilGone(response, caller.deadline - call.now());
    await caller.calls.add(() => admit(call, { caller, path, search, generates: route.generates, gone }));
  } catch {
    if (response.headersSent) response.destroy();
    else refuse(response, dialect, { status: 502, message: "the gateway could not pass this call on" });
  }
}

interface Asking {
  caller: Caller;
  path: string;
  search: URLSearchParams;
  generates: boolean;
  /** Aborted when nobody waits for an answer any more. */
  gone: AbortSignal;
}

/** Whether a call may pass is asked when it comes, and again when it has waited. */
async function admit(call: Call, { caller, path, search, generates, gone }: Asking): Promise<void> {
  const { request, response, door } = call;
  const { dialect } = door;
  const { account } = caller;
  const refuseFor = (stop: ModelStop) => {
    account.stopped ??= stop;
    // Nobody tries again what can only fail again: hence no status that libraries take for bad weather.
    refuse(response, dialect, { status: 400, message: `multirun: ${stop.reason}` });
  };
  if (gone.aborted) return;
  const early = stopFor(call, account);
  if (early) return refuseFor(early);
  const read = await readBody(request, account, call.bodies);
  if (read === undefined) return refuse(response, dialect, { status: 413, message: "the request is over 64 MiB" });
  try {
    const asked = parsed(read.body);
    const model = dialect.modelOf(path, asked);
    if (generates) {
      if (account.isLimited && priceOf(model ?? "", call.prices) === undefined) return refuseFor(unpricedModel(model));
      const unmetered = dialect.forbids?.(asked, { limited: account.isLimited });
      if (unmetered) return refuse(response, dialect, { status: 400, message: `multirun: ${unmetered}` });
      await caller.turn();
      const late = stopFor(call, account);
      if (late) return refuseFor(late);
    }
    if (gone.aborted || caller.closed) return void response.destroy();
    account.requests += 1;
    const sent = sentAs(call, { caller, path, search, generates, gone, asked, model, body: read.body });
    const found = await forward({ response, door, account, sent, asked, prices: call.prices });
    if (found.kind !== "stop") return;
    if (found.whom === "all") call.stopAll(found.stop);
    refuseFor(found.stop);
  } finally {
    read.done();
  }
}

function stopFor({ door }: Call, account: Account): ModelStop | null {
  const stop = door.stopped ?? account.refusal();
  if (stop || door.key) return stop;
  return { outcome: "refused", reason: `there is no key for this model: set ${door.dialect.keyVariable}` };
}

function sentAs(
  { request, door }: Call,
  asking: Asking & { asked: unknown; model: string | undefined; body: Buffer },
): UpstreamCall {
  const { caller, path, search, generates, gone, asked, model } = asking;
  const { dialect } = door;
  const method = request.method ?? "";
  // What was judged is what is sent: a name that stands twice, or is spelt with escapes, means one thing only.
  const judged = dialect.amend?.(asked) ?? (generates && caller.account.isLimited ? asked : undefined);
  const body = method === "GET" ? undefined : judged === undefined ? asking.body : Buffer.from(JSON.stringify(judged));
  const query = new URLSearchParams([...search].filter(([name, value]) => dialect.query[name]?.test(value)));
  return {
    method,
    path: query.size > 0 ? `${path}?${query}` : path,
    headers: {
      ...askedHeaders(request.headers),
      ...(door.key ? dialect.keyHeaders(door.key) : {}),
      "accept-encoding": "identity",
      ...(body ? { "content-length": body.length } : {}),
    },
    body,
    model,
    generates,
    deadline: caller.deadline,
    signal: gone,
    onWait: (words) => {
      caller.account.waitsFor = { outcome: "overloaded", reason: `${words}, and was still waited for` };
    },
  };
}

function unpricedModel(model: string | undefined): ModelStop {
  const name = JSON.stringify((model ?? "").slice(0, 100));
  const reason = `nobody knows what the model ${name} costs, so its budget cannot be kept: add it to prices`;
  return { outcome: "refused", reason };
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
