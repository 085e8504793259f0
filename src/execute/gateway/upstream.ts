import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { ModelStop } from "../../model/agent.js";
import type { Deps } from "../../model/deps.js";
import { codeOf, messageOf } from "../../model/error.js";
import { backOff, type Weather, weatherOf } from "./weather.js";

/** One call as it is passed on. */
export interface UpstreamCall {
  method: string;
  path: string;
  headers: OutgoingHttpHeaders;
  body: Buffer | undefined;
  model: string | undefined;
  generates: boolean;
  /** Milliseconds since the epoch: nothing is tried after it. */
  deadline: number;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** Told what is waited for, each time. */
  onWait: (words: string) => void;
}

export type Answer =
  /** An answer to pass on as it comes. */
  | { kind: "open"; response: IncomingMessage }
  /** A refusal of ours in the maker's stead. */
  | { kind: "refuse"; status: number; message: string }
  /** A refusal that the agent hears. */
  | { kind: "read"; status: number; contentType: string | undefined; body: Buffer; refusal?: ModelStop }
  /** Nothing came of it, and nothing will. */
  | { kind: "stop"; stop: ModelStop; whom: "run" | "all" };

export interface Upstream {
  /** Where the calls go. */
  host: string;
  /** Tries until there is an answer, the weather does not pass, or nobody waits any more. */
  send(call: UpstreamCall): Promise<Answer>;
  close(): void;
}

/** Nobody waited any more for a call that its maker may have got, and charge for. */
export class CutOff extends Error {}

export interface UpstreamOptions extends Pick<Deps, "now" | "sleep"> {
  /** Base URL, without a slash at its end. */
  url: string;
  keyVariable: string;
  random: () => number;
  /** How long one call is tried again, in milliseconds. */
  patienceMs: number;
}

/** Refusals are short; of one that is not, the beginning says enough. */
const refusalBytes = 64 * 1024;

/** One maker's server. When it asks to be left alone, all runs leave it alone. */
export function openUpstream(options: UpstreamOptions): Upstream {
  const { url, now, sleep, random, patienceMs } = options;
  const base = new URL(url);
  const secure = base.protocol === "https:";
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  let restUntil = 0;

  const once = (call: UpstreamCall): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method, headers, signal, body } = call;
      const target = new URL(`${base.pathname.replace(/\/$/, "")}${call.path}`, base);
      const ask = secure ? httpsRequest : httpRequest;
      const request = ask(target, { method, headers: { ...headers, host: base.host }, agent, signal }, resolve);
      request.on("error", reject);
      request.end(body);
    });

  const send = async (call: UpstreamCall): Promise<Answer> => {
    const until = Math.min(call.deadline, now() + patienceMs);
    for (let tries = 0; ; tries++) {
      await rest(call);
      const found = await attempt(call);
      if (found.kind !== "passing") return found;
      const wait = backOff(tries, found.waitMs, random());
      if (now() + wait > until) return gaveUp(found.words, tries + 1);
      call.onWait(found.words);
      if (found.shared) restUntil = Math.max(restUntil, now() + wait);
      await sleep(wait, call.signal);
    }
  };

  const rest = async ({ signal, onWait }: UpstreamCall): Promise<void> => {
    const wait = restUntil - now();
    if (wait <= 0) return;
    onWait("the model's maker asks all to wait");
    // Not all at once, where ten runs were waiting for the same moment.
    await sleep(Math.round(wait + random() * Math.min(wait, 2_000)), signal);
  };

  const attempt = async (call: UpstreamCall): Promise<Answer | Passing> => {
    try {
      const response = await once(call);
      const status = response.statusCode ?? 502;
      if (status < 300) return { kind: "open", response };
      const body = await beginningOf(response);
      if (status < 400)
        return { kind: "refuse", status: 502, message: "the model's maker redirects, which is not followed" };
      const text = body.toString("utf8");
      const seen = { status, headers: response.headers, body: text };
      const weather = weatherOf(seen, { ...call, keyVariable: options.keyVariable, now: now() });
      return judged(weather, { status, contentType: response.headers["content-type"], body });
    } catch (error) {
      if (call.signal.aborted) throw new CutOff("the call was given up while it was under way", { cause: error });
      const words = `${base.host} could not be reached (${codeOf(error) ?? messageOf(error)})`;
      return { kind: "passing", waitMs: null, shared: false, words };
    }
  };

  return { host: base.host, send, close: () => agent.destroy() };
}

interface Passing {
  kind: "passing";
  waitMs: number | null;
  /** True where the upstream asks everybody to wait. */
  shared: boolean;
  words: string;
}

function judged(
  weather: Weather,
  read: { status: number; contentType: string | undefined; body: Buffer },
): Answer | Passing {
  if (weather.kind === "pass") {
    const { words } = weather;
    return {
      kind: "read",
      ...read,
      ...(words === undefined ? {} : { refusal: { outcome: "refused", reason: words } }),
    };
  }
  if (weather.kind === "stop") {
    const { outcome, words: reason, whom } = weather;
    return { kind: "stop", whom, stop: { outcome, reason } };
  }
  const shared = read.status === 429 || read.status === 529;
  return { kind: "passing", waitMs: weather.waitMs, shared, words: `the model's maker answers ${read.status}` };
}

function gaveUp(words: string, tries: number): Answer {
  const reason = `${words}, ${tries === 1 ? "and asks for more time than there is" : `after ${tries} tries`}`;
  return { kind: "stop", whom: "run", stop: { outcome: "overloaded", reason } };
}

async function beginningOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > refusalBytes) break;
  }
  response.destroy();
  return Buffer.concat(chunks).subarray(0, refusalBytes);
}
