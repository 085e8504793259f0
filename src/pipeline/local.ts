import PQueue from "p-queue";
import { readIfThere } from "../clients/files.js";
import { type BorrowedSet, createBorrowed } from "../isolate/borrow.js";
import { claim, keepLease, underLease } from "../isolate/claim.js";
import { MultirunError, messageOf } from "../model/error.js";
import type { PlannedRun } from "../model/experiment.js";
import type { Report } from "../model/report.js";
import { checkBaseline, prepareBase, readBase, sharedHolder } from "./base.js";
import { type Base, type BaseDatabase, type Context, releaseMs, sharedLease, workerLease } from "./context.js";
import { leave, writeReport } from "./finish.js";
import { performRun } from "./run.js";

const pollMs = 300;

/**
 * An experiment on this machine: base, then every run through a queue, then everything goes back, then the report.
 * Several processes may do this on one experiment at once; each run is done by whoever claims it, and the last process
 * gives back what they shared.
 * @throws MultirunError `bad_input` where base cannot be made; everything that was held has gone back by then
 */
export async function runExperiment(context: Context): Promise<Report> {
  const worker = await claim(context, `${workerLease}${process.pid}-${context.deps.now()}`);
  const guard = keepLease(worker);
  try {
    if ((await openRuns(context)).length > 0) await performAll(context);
  } catch (error) {
    if (!context.signal.aborted) {
      await leave(context, worker);
      throw error;
    }
  } finally {
    guard.stop();
  }
  await leave(context, worker);
  return writeReport(context);
}

/**
 * Work folder first; then base and the runs' workspaces side by side. Ends when every run has a result, made here or by
 * another process, or when base cannot be made: that is everybody's end.
 */
async function performAll(outer: Context): Promise<void> {
  const shared = createBorrowed({ ledger: outer.ledger, releaseMs });
  await underLease(outer, sharedLease, () => shared.borrow(outer.work, sharedHolder(outer, "base")));
  const failed = new AbortController();
  const context = { ...outer, signal: AbortSignal.any([outer.signal, failed.signal]) };
  const base = openBase(context, shared);
  base.sealed.catch((error: unknown) => failed.abort(error));
  const queue = new PQueue({ concurrency: context.parallel });
  const baseline = tryBaseline(context, base);
  try {
    await untilDone(
      context,
      () => openRuns(context),
      (run) => queue.add(() => tryRun(context, run, base)),
    );
  } finally {
    await Promise.allSettled([base.sealed, baseline]);
  }
  if (failed.signal.aborted && !outer.signal.aborted) throw failed.signal.reason;
}

/** Server and base: made by one process while the others wait for it. */
function openBase(context: Context, shared: BorrowedSet): Base {
  const sealed = underLease(context, sharedLease, async () => {
    const { server } = context.database;
    if (server) await shared.borrow(server, sharedHolder(context, "base"));
    await prepareBase(context, shared);
  });
  let reading: Promise<BaseDatabase | null> | undefined;
  return {
    sealed,
    read: () => {
      reading ??= sealed.then(() => readBase(context));
      // A failure is told to whoever awaits it, which may be nobody; the next one tries again.
      reading.catch(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}

/** Tries all that is open again and again, as some of it may be in other processes' hands. */
async function untilDone<T>(
  context: Context,
  list: () => Promise<T[]>,
  attempt: (each: T) => Promise<void>,
): Promise<void> {
  for (;;) {
    const open = await list();
    if (open.length === 0 || context.signal.aborted) return;
    const results = await Promise.allSettled(open.map(attempt));
    const failed = results.find((result) => result.status === "rejected");
    if (failed) throw failed.reason;
    if ((await list()).length > 0) await context.deps.sleep(pollMs);
  }
}

/** Does a run unless somebody else is at it. */
async function tryRun(context: Context, planned: PlannedRun, base: Base): Promise<void> {
  if (context.signal.aborted) return;
  const lease = await context.leases.claim(planned.id);
  if (!lease) return;
  if (await isPublished(context, planned)) return lease.giveBack();
  const action = lease.inheritsFrom < lease.epoch ? "taken_over" : "claimed";
  await context.ledger.write({ event: "claim", run: planned.id, attempt: lease.epoch, action });
  try {
    await performRun(context, { planned, lease, base });
  } catch (error) {
    const expected = error instanceof MultirunError && (error.code === "cancelled" || error.code === "lease_lost");
    if (!expected) throw error;
  }
}

/** Without a baseline the report cannot tell broken checks from old failures; the runs are worth as much. */
async function tryBaseline(context: Context, { sealed }: Base): Promise<void> {
  try {
    await sealed;
    await underLease(context, "baseline", (lease) => checkBaseline(context, lease));
  } catch (error) {
    if (!context.signal.aborted)
      context.deps.log.warn(`the untouched project could not be checked: ${messageOf(error)}`);
  }
}

/** Runs without a result among `runs/`. */
export async function openRuns(context: Pick<Context, "experiment" | "folder">): Promise<PlannedRun[]> {
  const states = await Promise.all(
    context.experiment.runs.map(async (run) => ({ run, published: await isPublished(context, run) })),
  );
  return states.filter((each) => !each.published).map((each) => each.run);
}

async function isPublished({ folder }: Pick<Context, "folder">, run: PlannedRun): Promise<boolean> {
  return (await readIfThere(folder.run(run.id).record)) !== undefined;
}
