import type { Answer } from "./script.js";

/** A request as far as the stub cares. */
export interface Asked {
  model: string;
  /** Names of the tools it offers; none where an agent asks for a title or a summary on the side. */
  tools: string[];
  /** Results of tools it brings along: that many steps are done. */
  results: number;
  stream: boolean;
}

/** Why a request is refused, in words of our own; each maker has a form for it. */
export interface Refusal {
  status: number;
  kind: "authentication" | "not_found" | "invalid" | "rate_limit" | "overloaded" | "server";
  message: string;
}

/** How one maker's interface speaks. */
export interface Wire {
  /** Path of a request, without the base. */
  serves(path: string): boolean;
  /** The key a request carries. */
  key(headers: Headers, url: URL): string | null;
  /** @throws Error with what is wrong, where the maker's own server would refuse it */
  read(body: Record<string, unknown>, request: { headers: Headers; path: string }): Asked;
  /** Server-sent events in order, each ready to be sent. */
  stream(answer: Answer, asked: Asked): string[];
  /** The same in one piece. */
  whole(answer: Answer, asked: Asked): unknown;
  refusal(refusal: Refusal): unknown;
}

export function event(data: unknown, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** @throws Error where the condition does not hold: the stub answers 400 with it */
export function demand(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list of objects under a key. @throws Error where it is none */
export function list(body: Record<string, unknown>, key: string): Record<string, unknown>[] {
  const value = body[key];
  demand(Array.isArray(value) && value.every(isRecord), `${key}: must be a list of objects`);
  return value;
}

/** As `list`; empty where the key is not there. */
export function optionalList(body: Record<string, unknown>, key: string): Record<string, unknown>[] {
  return body[key] === undefined || body[key] === null ? [] : list(body, key);
}
