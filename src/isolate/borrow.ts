import { MultirunError, messageOf } from "../model/error.js";
import type { Holder } from "../model/ids.js";
import type { Ledger } from "./ledger.js";
import type { Resource } from "./resource.js";

/** Things held together, given back in the reverse order of their acquiring. */
export interface BorrowedSet {
  /** Acquires one more thing; when that fails, all that was held goes back before the error is thrown on. */
  borrow<T>(resource: Resource<T>, holder: Holder): Promise<T>;
  /** Gives everything back. What cannot be given back in time is returned by name, never thrown. */
  giveBack(): Promise<string[]>;
}

export interface BorrowOptions {
  ledger: Ledger;
  /** How long one release may take before the rest goes on without it, in milliseconds. */
  releaseMs: number;
}

/** Keeps account of what one holder borrows: an intent line before, a line after, a line for every return. */
export function createBorrowed({ ledger, releaseMs }: BorrowOptions): BorrowedSet {
  const held: { resource: Resource<unknown>; holder: Holder }[] = [];
  const giveBack = async (): Promise<string[]> => {
    const stuck: string[] = [];
    for (let each = held.pop(); each; each = held.pop()) {
      if (!(await release(each.resource, each.holder, { ledger, releaseMs }))) {
        stuck.push(`${each.resource.kind} ${each.resource.idFor(each.holder)}`);
      }
    }
    return stuck;
  };
  return {
    giveBack,
    async borrow(resource, holder) {
      const line = { run: holder.run, attempt: holder.attempt, kind: resource.kind, id: resource.idFor(holder) };
      await ledger.write({ event: "acquire", ...line });
      held.push({ resource, holder });
      try {
        const value = await resource.acquire(holder);
        await ledger.write({ event: "acquired", ...line });
        return value;
      } catch (error) {
        await giveBack();
        throw error;
      }
    },
  };
}

/**
 * Releases one thing and writes down how that went.
 * @returns false where it failed or took longer than `releaseMs`
 */
export async function release<T>(
  resource: Resource<T>,
  holder: Holder,
  { ledger, releaseMs }: BorrowOptions,
): Promise<boolean> {
  const line = {
    event: "release" as const,
    run: holder.run,
    attempt: holder.attempt,
    kind: resource.kind,
    id: resource.idFor(holder),
  };
  try {
    await withDeadline(resource.release(holder), releaseMs);
    await ledger.write(line);
    return true;
  } catch (error) {
    await ledger.write({ ...line, error: messageOf(error) });
    return false;
  }
}

async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new MultirunError("timed_out", `not released within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
