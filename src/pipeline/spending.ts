import { appendFile, readFile } from "node:fs/promises";
import { z } from "zod";
import type { Charge } from "../execute/gateway/account.js";
import { codeOf } from "../model/error.js";
import type { Holder } from "../model/ids.js";

const count = z.number().nonnegative();
const counted = z.strictObject({
  input: count,
  cacheWrite: count,
  cacheWriteHour: count,
  cacheRead: count,
  output: count,
});
const line = z.strictObject({
  run: z.string(),
  charge: z.strictObject({ counted, costUsd: count.nullable(), complete: z.boolean(), heldUsd: count }),
});

/** What models were paid for an experiment, call by call: a budget is one budget, however often it is gone on with. */
export interface Spending {
  /** US dollars, with what calls may have cost that never said it. */
  totalUsd: number;
  of(run: Holder["run"]): Charge[];
  /** Written before long, in the order of the calls; a call that was paid in the moment of a crash may be missing. */
  add(run: Holder["run"], charge: Charge): void;
  /** Resolves when all is written. */
  written(): Promise<void>;
}

export async function openSpending(file: string): Promise<Spending> {
  const before = await linesOf(file);
  let writing = Promise.resolve();
  return {
    totalUsd: before.reduce((sum, { charge }) => sum + (charge.costUsd ?? 0) + charge.heldUsd, 0),
    of: (run) => before.flatMap((each) => (each.run === run ? [each.charge] : [])),
    add(run, charge) {
      writing = writing.then(() => appendFile(file, `${JSON.stringify({ run, charge })}\n`)).catch(() => undefined);
    },
    written: () => writing,
  };
}

/** A line that was cut by a crash says nothing. */
async function linesOf(file: string): Promise<z.infer<typeof line>[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").flatMap((each) => {
    try {
      return [line.parse(JSON.parse(each))];
    } catch {
      return [];
    }
  });
}
