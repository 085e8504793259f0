import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import PQueue from "p-queue";
import { type Metered, type ModelAccess, type ModelStop, type Protocol, protocols } from "../../model/agent.js";
import type { Deps } from "../../model/deps.js";
import { Secret } from "../../model/secret.js";
import { Account, type Charge, type Purse } from "./account.js";
import { anthropic } from "./anthropic.js";
import type { Bodies } from "./bodies.js";
import { type Call, type Caller, type Door, passOn } from "./call.js";
import type { Dialect } from "./dialect.js";
import { gemini } from "./gemini.js";
import { openai } from "./openai.js";
import type { Prices } from "./prices.js";
import { refuse } from "./refuse.js";
import { openUpstream } from "./upstream.js";

export const dialects: Readonly<Record<Protocol, Dialect>> = { anthropic, openai, gemini };

export interface GatewayOptions extends Pick<Deps, "now" | "sleep" | "log"> {
  /** The caller's keys; a protocol without one is refused. */
  keys: Partial<Readonly<Record<Protocol, Secret>>>;
  /** Base URLs in place of the makers' own. */
  upstreams?: Partial<Readonly<Record<Protocol, string>>>;
  /** Prices that go before the built-in ones. */
  prices?: Prices;
  totalBudgetUsd: number | null;
  /** What earlier workers of the experiment spent. */
  alreadySpentUsd: number;
  /** Between the first calls of two runs. */
  staggerMs?: number;
  /** How long one call is tried again in bad weather. */
  patienceMs?: number;
  /** From 0 up to 1. */
  random?: () => number;
}

/** What one run gets of the gateway. */
export interface GatewayRun {
  access: ModelAccess;
  metered(): Metered;
  /** Its token is worth nothing from then on. */
  close(): void;
}

export interface RunLimits {
  budgetUsd: number | null;
  /** Milliseconds since the epoch. */
  deadline: number;
  earlier?: readonly Charge[];
  onCharge?: (charge: Charge) => void;
}

export interface Gateway {
  /** Where it listens on 127.0.0.1. */
  port: number;
  /** @param run `earlier`: what its attempts before were charged; `onCharge`: told of each call, for those that come after */
  open(run: RunLimits): GatewayRun;
  close(): Promise<void>;
}

const defaultStaggerMs = 250;
/** Calls of one run that are under way at once, which is what it can overspend by. */
const mostCalls = 10;
const defaultPatienceMs = 5 * 60_000;

/**
 * The one way from an experiment's agents to their models: a server on loopback that takes a run's own token and puts the
 * real key in its place, counts what every call costs, and lets none pass once a limit is reached.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { keys, now, sleep, log, random = Math.random, patienceMs = defaultPatienceMs } = options;
  const purse: Purse = { budgetUsd: options.totalBudgetUsd, spentUsd: options.alreadySpentUsd, heldUsd: 0 };
  const runs = new Map<string, Caller>();
  const bodies: Bodies = { held: 0 };
  const turns = inTurn(options.staggerMs ?? defaultStaggerMs, { now, sleep });
  const doors = protocols.map((protocol): Door => {
    const dialect = dialects[protocol];
    const url = options.upstreams?.[protocol] ?? dialect.upstream;
    const { keyVariable } = dialect;
    return {
      dialect,
      key: keys[protocol],
      upstream: openUpstream({ url, keyVariable, now, sleep, random, patienceMs }),
      stopped: null,
    };
  });
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const door = doors.find(({ dialect }) => request.url?.startsWith(`${prefixOf(dialect)}/`));
    if (!door) return refuse(response, anthropic, { status: 404, message: "no model is served here" });
    const call: Call = {
      request,
      response,
      door,
      target: (request.url ?? "").slice(prefixOf(door.dialect).length),
      callerOf: (token) => runs.get(fingerprint(token)),
      bodies,
      prices: options.prices ?? {},
      stopAll: (stop) => stopDoor(door, stop, log),
      now,
    };
    void passOn(call);
  };
  const server = createServer({ headersTimeout: 30_000, requestTimeout: 5 * 60_000 }, answer);
  const port = await listen(server);
  return {
    port,
    open({ budgetUsd, deadline, ...history }) {
      const account = new Account(purse, budgetUsd, history);
      const token = new Secret(`multirun-${randomBytes(24).toString("base64url")}`);
      const mark = fingerprint(token.reveal());
      const calls = new PQueue({ concurrency: mostCalls });
      const caller: Caller = { account, deadline, turn: turns(), calls, closed: false };
      runs.set(mark, caller);
      return {
        access: { urls: urlsAt(port), token },
        metered: () => account.metered(),
        close: () => {
          caller.closed = true;
          runs.delete(mark);
        },
      };
    },
    close: () => closeAll(server, doors),
  };
}

function prefixOf({ basePath }: Dialect): string {
  return basePath.replace(/\/v1$/, "");
}

function urlsAt(port: number): ModelAccess["urls"] {
  const at = ({ basePath }: Dialect) => `http://127.0.0.1:${port}${basePath}`;
  return { anthropic: at(anthropic), openai: at(openai), gemini: at(gemini) };
}

/** Looked up by what nobody can guess piece by piece: how long a comparison takes says nothing. */
function fingerprint(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}

/** Said once, however many runs hear it. */
function stopDoor(door: Door, stop: ModelStop, log: Deps["log"]): void {
  if (door.stopped) return;
  door.stopped = stop;
  log.warn(`no further call to ${door.upstream.host}: ${stop.reason}`);
}

/** The first call of each run waits until the one before it has had so long a start; later calls do not wait. */
function inTurn(staggerMs: number, { now, sleep }: Pick<Deps, "now" | "sleep">): () => () => Promise<void> {
  let next = 0;
  return () => {
    let waited: Promise<void> | undefined;
    return () => {
      if (waited) return waited;
      const start = Math.max(now(), next);
      next = start + staggerMs;
      waited = start > now() ? sleep(start - now()) : Promise.resolve();
      return waited;
    };
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

async function closeAll(server: Server, doors: readonly Door[]): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  for (const { upstream } of doors) upstream.close();
  await closed;
}
