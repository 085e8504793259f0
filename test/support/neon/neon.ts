import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Site } from "../../../src/isolate/database/site.js";
import { type Answer, type Asked, answerTo } from "./routes.js";
import { State } from "./state.js";

/** What goes wrong with one call: before anything was done, or with the answer only. */
export interface Fault {
  method: string;
  path: RegExp;
  status: number;
  headers?: Record<string, string>;
  /** True where it is done all the same. */
  after?: boolean;
}

export interface NeonEmulator {
  url: string;
  apiKey: string;
  /** A key that may not use the project. */
  restrictedKey: string;
  project: string;
  state: State;
  /** The next calls that fit, each once. */
  faults: Fault[];
  /** Asked for a fault where none of these fits. */
  chaos?: (method: string, path: string) => Fault | undefined;
  calls: { method: string; path: string; status: number }[];
  close(): Promise<void>;
}

export interface NeonOptions {
  site: Site;
  parentDatabase: string;
  /** How long one operation takes. */
  operationMs?: number;
  branchLimit?: number;
  /** False: the plan knows no expires_at. */
  knowsExpiry?: boolean;
}

/**
 * Neon's API v2 on loopback, as far as a database provider uses it, over a real Postgres: a branch is a database, a compute an
 * address of its own. It has one role for all branches, so that a password renewed on one is renewed on all: in that it is
 * not like Neon.
 */
export async function startNeon(options: NeonOptions): Promise<NeonEmulator> {
  const { operationMs = 20, branchLimit = 20, knowsExpiry = true } = options;
  const state = new State({ ...options, operationMs });
  await state.addParent();
  const apiKey = "napi_emulated_key_0123456789";
  const restrictedKey = "napi_restricted_0123456789";
  const project = "quiet-rain-123456";
  const faults: Fault[] = [];
  const calls: NeonEmulator["calls"] = [];
  const emulator: Pick<NeonEmulator, "chaos"> = {};
  const world = { state, project, branchLimit, knowsExpiry, admin: options.site.admin };
  const answer = async (asked: Asked, key: string | undefined): Promise<Answer> => {
    if (key === restrictedKey) return { status: 403, body: { code: "", message: "no access to the project" } };
    if (key !== apiKey) return { status: 401, body: { code: "", message: "authentication failed" } };
    return answerTo(asked, world);
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    const method = request.method ?? "";
    const asked = {
      method,
      path: url.pathname.replace(/^\/api\/v2/, ""),
      query: url.searchParams,
      body: await bodyOf(request),
    };
    const at = faults.findIndex((each) => each.method === method && each.path.test(asked.path));
    const [queued] = at === -1 ? [] : faults.splice(at, 1);
    const fault = queued ?? emulator.chaos?.(method, asked.path);
    const done = fault && !fault.after ? undefined : await answer(asked, bearerOf(request));
    const said = fault
      ? { status: fault.status, body: { code: "", message: "a fault" }, headers: fault.headers }
      : done;
    calls.push({ method, path: asked.path, status: said?.status ?? 0 });
    send(response, said);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(emulator, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`,
    apiKey,
    restrictedKey,
    project,
    state,
    faults,
    calls,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await state.close();
    },
  });
}

function bearerOf({ headers }: IncomingMessage): string | undefined {
  return headers.authorization?.replace("Bearer ", "");
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

/** Without an answer the connection ends: a lost one. */
function send(response: ServerResponse, said: Answer | undefined): void {
  if (!said || said.status === 0) return void response.destroy();
  response.writeHead(said.status, { "content-type": "application/json", ...said.headers });
  response.end(JSON.stringify(said.body));
}
