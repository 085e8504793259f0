import { closeSync, constants, openSync, writeSync } from "node:fs";
import { MultirunError, messageOf } from "../model/error.js";
import { createRedactor, leftOver } from "../model/redactor.js";
import type { Secret } from "../model/secret.js";

export interface LogTotals {
  /** Bytes the program wrote. */
  bytes: number;
  /** How many of them are not in the file. */
  dropped: number;
}

/**
 * A file that keeps the first and the last half of what it is given, with one line between that says what was dropped.
 * Secrets never reach the disk. The first half is written as it comes, the last half waits in a ring of fixed size that
 * is only allocated when needed: memory stays the same however much is written.
 *
 * Writes are synchronous on purpose: they are at most `limitBytes` in all, so that no queue can grow behind them.
 */
export class CappedLog {
  readonly #path: string;
  readonly #file: number;
  readonly #secrets: readonly Secret[];
  readonly #redactor;
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #tail: Buffer | undefined;
  #bytes = 0;
  #failure: unknown;

  /** @param path must not exist yet: a link that waits there is not followed */
  constructor(path: string, limitBytes: number, secrets: readonly Secret[]) {
    this.#path = path;
    this.#secrets = secrets;
    this.#redactor = createRedactor(secrets);
    this.#headLimit = Math.ceil(limitBytes / 2);
    this.#tailLimit = Math.floor(limitBytes / 2);
    this.#file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
  }

  /** Bytes given so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The chunk may be reused by the caller afterwards. */
  write(chunk: Uint8Array): void {
    const forHead = chunk.subarray(0, Math.max(0, this.#headLimit - this.#bytes));
    if (forHead.length > 0) this.#put(this.#redactor.push(forHead));
    this.#bytes += forHead.length;
    if (forHead.length < chunk.length) this.#remember(chunk.subarray(forHead.length));
  }

  /** @throws MultirunError `infra` where the file could not be written, as on a full disk */
  close(): LogTotals {
    try {
      const dropped = this.#putTail();
      if (this.#failure !== undefined) throw this.#failure;
      return { bytes: this.#bytes, dropped };
    } catch (error) {
      throw new MultirunError("infra", `${this.#path} cannot be written: ${messageOf(error)}`, {
        hint: "Free some disk space and resume the experiment.",
        cause: error,
      });
    } finally {
      closeSync(this.#file);
    }
  }

  #remember(chunk: Uint8Array): void {
    const size = this.#tailLimit;
    this.#tail ??= Buffer.allocUnsafe(size);
    const start = this.#bytes - this.#headLimit;
    this.#bytes += chunk.length;
    const kept = chunk.subarray(Math.max(0, chunk.length - size));
    const at = size === 0 ? 0 : (start + chunk.length - kept.length) % size;
    const untilEnd = kept.subarray(0, size - at);
    this.#tail.set(untilEnd, at);
    this.#tail.set(kept.subarray(untilEnd.length), 0);
  }

  #putTail(): number {
    const afterHead = this.#bytes - this.#headLimit;
    const tail = this.#ringContent(afterHead);
    const fits = afterHead <= this.#tailLimit;
    const halfSecret = fits ? 0 : this.#redactor.discard();
    const shown = Buffer.concat([this.#redactor.push(tail), this.#redactor.flush()]);
    if (fits) {
      this.#put(shown);
      return 0;
    }
    // Only now that whole secrets are out: the first letters of one may look like the last of another.
    const cut = leftOver(shown, this.#secrets);
    const from = this.#headLimit - halfSecret;
    const dropped = this.#bytes - from - (tail.length - cut);
    this.#put(Buffer.from(`\n[multirun: ${dropped} bytes dropped here, from byte ${from} on]\n`));
    this.#put(shown.subarray(cut));
    return dropped;
  }

  #ringContent(afterHead: number): Buffer {
    const ring = this.#tail ?? Buffer.alloc(0);
    if (afterHead <= this.#tailLimit) return ring.subarray(0, Math.max(0, afterHead));
    const oldest = ring.length === 0 ? 0 : afterHead % ring.length;
    return Buffer.concat([ring.subarray(oldest), ring.subarray(0, oldest)]);
  }

  #put(bytes: Uint8Array): void {
    if (this.#failure !== undefined) return;
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    } catch (error) {
      // The program must go on being read, else it would hang: close() reports this.
      this.#failure = error;
    }
  }
}
