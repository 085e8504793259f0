import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Secret } from "../../model/secret.js";
import type { Counted } from "./counted.js";

/** What a call costs so far, by what its answer has said of it. */
export interface Tally {
  counted: Counted;
  /** True once nothing more is to come: what a cut answer said is less than what it cost. */
  complete: boolean;
}

/** What one kind of refusal is called. */
export interface Refusal {
  status: number;
  message: string;
}

/** How one maker's protocol is spoken: what may pass, where the key stands, what an answer says of its cost. */
export interface Dialect {
  /** Where the maker serves it. */
  upstream: string;
  /** The variable of the environment that holds the caller's key. */
  keyVariable: string;
  /** Behind the gateway's address: the base URL its own libraries are given. */
  basePath: string;
  /** Paths that may pass, as the upstream knows them; `generates` where a call costs money. */
  routes: readonly { method: "GET" | "POST"; path: RegExp; generates: boolean }[];
  /** The token of an agent, wherever its library puts keys. */
  tokenIn(headers: IncomingHttpHeaders, query: URLSearchParams): string | undefined;
  /** The headers that carry the real key. */
  keyHeaders(key: Secret): OutgoingHttpHeaders;
  /** The model a call asks for. */
  modelOf(path: string, body: unknown): string | undefined;
  /** Names that a query may have, with the values they may have: whatever else a query says is dropped. */
  query: Readonly<Record<string, RegExp>>;
  /** How long the answers may be that a body asks for, and how many: output undefined where it sets no limit. */
  limitsOf(body: unknown): { output: number | undefined; outputs: number };
  /**
   * Why a call may not pass that would cost what nobody can see, in words for the agent.
   * @param limited where a budget must hold, nothing dearer than the price table says may pass
   */
  forbids?(body: unknown, context: { limited: boolean }): string | undefined;
  /** The body as it is passed on, where it must say more than the agent's does; undefined: as it is. */
  amend?(body: unknown): unknown;
  /** True where nothing of the cost comes after the message that completes it. */
  hasLastWord: boolean;
  /** Takes in one message of an answer: the whole of it, or one event of a stream. */
  read(message: unknown, before: Tally): Tally;
  error(refusal: Refusal): unknown;
}

/** The word behind `Bearer`. */
export function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(authorization ?? "")?.[1];
}

export function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
