import { closeSync, constants, openSync, writeSync } from "node:fs";
import type { TraceEvent, Usage } from "../model/agent.js";
import { MultirunError, messageOf } from "../model/error.js";
import { redact, type Secret } from "../model/secret.js";
import type { StreamParser } from "./agents/parser.js";
import { type Line, LineSplitter } from "./trace-lines.js";
import { UsageSum } from "./trace-usage.js";

/** A line of an agent's stream longer than this is dropped: it holds a file the agent read, and nothing we need. */
const lineLimitBytes = 4 * 1024 * 1024;
/** Characters kept of one text or one tool's input. */
const textLimit = 20_000;
/** Of a message's id. */
const idLimit = 200;
/** Of a note, which may hold a line that could not be read. */
const noteLimit = 300;
/** More than any honest stream has; reading what a flood goes on with would cost more than it says. */
const mostLines = 500_000;
/** Bytes of `trace.jsonl`. */
const traceLimitBytes = 4 * 1024 * 1024;

export interface TraceOptions {
  /** `trace.jsonl`; must not exist yet: a link that waits there is not followed. */
  path: string;
  parser: StreamParser;
  secrets: readonly Secret[];
}

/** What an agent's stream says in the end. Untrusted. */
export interface Told {
  /** Its own last word; null where it never came to one. */
  result: { ok: boolean; text: string } | null;
  usage: Usage;
  /** How many times it was not allowed to do something. */
  denied: number;
}

/**
 * Turns an agent's stream into events while it comes and writes them to `trace.jsonl`, one on each line, without secrets.
 * Whatever the agent prints, the file stays within its limit and memory within one line's.
 */
export class Trace {
  readonly #options: TraceOptions;
  readonly #file: number;
  readonly #lines = new LineSplitter(lineLimitBytes);
  readonly #usage = new UsageSum();
  #result: Told["result"] = null;
  #denied = 0;
  #lineCount = 0;
  #bytes = 0;
  #dropped = 0;
  #failure: unknown;

  constructor(options: TraceOptions) {
    this.#options = options;
    this.#file = openSync(options.path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
  }

  /** The chunk may be reused by the caller afterwards. Never throws. */
  write(chunk: Uint8Array): void {
    if (this.#lineCount < mostLines) for (const line of this.#lines.push(chunk)) this.#read(line);
  }

  /** @throws MultirunError `infra` where the file could not be written, as on a full disk */
  close(): Told {
    try {
      for (const line of this.#lines.end()) this.#read(line);
      for (const event of this.#options.parser.end()) this.#take(event);
      if (this.#dropped > 0) {
        this.#put({ kind: "note", text: `${this.#dropped} more events are not kept: the trace is full` });
        // The last word is what most who read a trace look for.
        if (this.#result) this.#put({ kind: "result", ...this.#result });
      }
      if (this.#failure !== undefined) throw this.#failure;
      return { result: this.#result, usage: this.#usage.total(), denied: this.#denied };
    } catch (error) {
      throw new MultirunError("infra", `${this.#options.path} cannot be written: ${messageOf(error)}`, {
        hint: "Free some disk space and resume the experiment.",
        cause: error,
      });
    } finally {
      closeSync(this.#file);
    }
  }

  #read(line: Line): void {
    this.#lineCount += 1;
    if (this.#lineCount > mostLines) return;
    if (this.#lineCount === mostLines) this.#take({ kind: "note", text: `after ${mostLines} lines nothing is read` });
    else if ("tooLong" in line) this.#take({ kind: "note", text: `a line of ${line.tooLong} bytes is not kept` });
    else for (const event of this.#options.parser.push(line.text)) this.#take(event);
  }

  #take(event: TraceEvent): void {
    const kept = this.#clean(event);
    this.#usage.add(kept);
    if (kept.kind === "result") this.#result = { ok: kept.ok, text: kept.text };
    if (kept.kind === "tool" && kept.denied) this.#denied += 1;
    if (this.#bytes >= traceLimitBytes) this.#dropped += 1;
    else this.#put(kept);
  }

  #clean(event: TraceEvent): TraceEvent {
    // Cut afterwards: half a secret would not be found.
    const clean = (text: string, limit = textLimit) => cut(redact(text, this.#options.secrets), limit);
    switch (event.kind) {
      case "tool":
        return { ...event, name: clean(event.name), input: clean(event.input) };
      case "usage":
        return { ...event, message: clean(event.message, idLimit) };
      default:
        return { ...event, text: clean(event.text, event.kind === "note" ? noteLimit : textLimit) };
    }
  }

  #put(event: TraceEvent): void {
    if (this.#failure !== undefined) return;
    const bytes = Buffer.from(`${JSON.stringify(event)}\n`);
    this.#bytes += bytes.length;
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    } catch (error) {
      // The agent must go on being read, else it would hang: close() reports this.
      this.#failure = error;
    }
  }
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length - limit} more characters)`;
}
