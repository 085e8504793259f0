import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { endProcesses } from "../clients/end-processes.js";
import { readIfThere, syncFolder, toJson, writeDurably } from "../clients/files.js";
import { listMarked } from "../clients/processes.js";
import { type BorrowedSet, createBorrowed } from "../isolate/borrow.js";
import { keepLease } from "../isolate/claim.js";
import type { Lease } from "../isolate/leases.js";
import { formatDuration } from "../model/duration.js";
import { codeOf, messageOf } from "../model/error.js";
import type { PlannedRun } from "../model/experiment.js";
import type { Holder } from "../model/ids.js";
import type { RunState } from "../model/ledger.js";
import type { CheckResult, RunOutcome, RunRecord } from "../model/record.js";
import { redactIn } from "../model/secret.js";
import { type Attempt, provision, workOn } from "./attempt.js";
import { capturedSchema, captureWork, nothingCaptured } from "./capture.js";
import { checkWork } from "./check.js";
import { type Base, type Context, releaseMs, variantOf } from "./context.js";
import { type Ended, endedSchema, nothingUsed, once } from "./ended.js";
import type { RunFiles } from "./folder.js";
import { recordOf } from "./record.js";

/**
 * A run from provisioning to its place among the results. Every step leaves a file before the next begins, so that a
 * worker which takes over from a dead one goes on where that one stopped and repeats no agent that has ended.
 */
export async function performRun(
  context: Context,
  { planned, lease, base }: { planned: PlannedRun; lease: Lease; base: Base },
): Promise<void> {
  const guard = keepLease(lease);
  const holder = await holderFor(context, planned, lease);
  const borrowed = createBorrowed({ ledger: context.ledger, releaseMs });
  const signal = AbortSignal.any([context.signal, guard.signal]);
  try {
    if (lease.epoch > 1) await endStrays(holder);
    const files = context.folder.attempt(planned.id, holder.attempt);
    await mkdir(files.folder, { recursive: true });
    const record = await recordRun(context, { planned, holder, files, borrowed, base, signal });
    const published = await publish(context, { files, holder, lease });
    context.deps.log.info(
      published ? lineFor(record) : `${planned.id} was taken over; what was done is in ${files.folder}`,
    );
  } finally {
    await say(context, holder, "releasing");
    if (!context.experiment.keep) await borrowed.giveBack();
    await say(context, holder, "done");
    guard.stop();
    await lease.giveBack();
  }
}

interface Life {
  planned: PlannedRun;
  holder: Holder;
  files: RunFiles;
  borrowed: BorrowedSet;
  base: Base;
  signal: AbortSignal;
}

/** Provision, and what follows: each once, whichever worker did it. */
async function recordRun(context: Context, life: Life): Promise<RunRecord> {
  const { planned, holder, files, signal } = life;
  const variant = variantOf(context.experiment, planned.variant);
  await say(context, holder, "provisioning");
  const attempt = await provision(context, { ...life, variant }).then(
    (held): Attempt => ({ planned, variant, holder, files, signal, ...held }),
    (error: unknown) => (signal.aborted ? Promise.reject(signal.reason) : messageOf(error)),
  );
  if (typeof attempt === "string") return writeRecord(context, life, { ended: infraFailed(context, attempt) });
  return carryOut(context, { life, attempt }).finally(() => attempt.network?.close());
}

/** Work, capture, check. */
async function carryOut(context: Context, { life, attempt }: { life: Life; attempt: Attempt }): Promise<RunRecord> {
  const { holder, files, base, signal } = life;
  const { variant } = attempt;
  const ended = await once(files.ended, endedSchema, () => {
    if (signal.aborted) throw signal.reason;
    return whileReading(context, base, () => workOn(context, attempt));
  });
  if (ended.outcome === "infra_failed") return writeRecord(context, life, { ended });
  await say(context, holder, "capturing", ended);
  const captured = await once(files.captured, capturedSchema, () => captureWork(context, attempt, base));
  // Half-done work fails checks for no fault of its own: it is captured, not judged.
  const judged = ended.outcome === "completed" && variant.checks.length > 0;
  if (judged) await say(context, holder, "checking");
  const checks = judged ? await checkWork(context, attempt) : null;
  return writeRecord(context, life, { ended, captured, checks });
}

/** How long an agent works before base is read: by then the other runs have their databases. */
const readAfterMs = 1_000;

/** Base is read while agents work: earlier, it would keep others from beginning, and later, keep the capture waiting. */
async function whileReading<T>(context: Context, base: Base, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  // A failure is told to the capture that needs it; where work ends sooner, the capture reads.
  context.deps
    .sleep(readAfterMs, ended.signal)
    .then(() => base.read())
    .catch(() => undefined);
  return work().finally(() => ended.abort());
}

function infraFailed(context: Context, reason: string): Ended {
  const startedAt = new Date(context.deps.now()).toISOString();
  return { outcome: "infra_failed", reason, agent: null, startedAt, warnings: [], ...nothingUsed };
}

async function writeRecord(
  context: Context,
  { planned, holder, files }: Life,
  parts: { ended: Ended; captured?: typeof nothingCaptured; checks?: CheckResult[] | null },
): Promise<RunRecord> {
  const found = recordOf({
    experiment: context.experiment,
    run: planned.id,
    variant: planned.variant,
    holder,
    captured: nothingCaptured,
    checks: null,
    finishedAt: new Date(context.deps.now()),
    ...parts,
  });
  const record = redactIn(found, context.secrets);
  await writeDurably(files.record, toJson(record));
  return record;
}

/** An attempt whose agent has ended and whose workers are all dead is gone on with; any other run begins afresh. */
async function holderFor(context: Context, planned: PlannedRun, lease: Lease): Promise<Holder> {
  const pattern = new RegExp(`^${planned.id}-(\\d+)$`);
  const numbers = (await readdir(context.folder.attempts)).map((name) => Number(pattern.exec(name)?.[1] ?? 0));
  const newest = Math.max(0, ...numbers);
  const ended = newest > 0 && (await readIfThere(context.folder.attempt(planned.id, newest).ended)) !== undefined;
  const attempt = ended && newest >= lease.inheritsFrom ? newest : lease.epoch;
  return { experiment: context.experiment.id, run: planned.id, attempt };
}

/** What an earlier worker's programs left running would go on writing beside the new ones. */
async function endStrays({ experiment, run }: Holder): Promise<void> {
  await endProcesses(() => listMarked({ experiment, run }), { graceMs: 500 });
}

/**
 * Moves an attempt to its place by one rename, which fails where another worker's result stands already. A worker that
 * has lost its lease leaves its output among the attempts.
 */
async function publish(
  context: Context,
  { files, holder, lease }: { files: RunFiles; holder: Holder; lease: Lease },
): Promise<boolean> {
  if (!(await lease.renew())) {
    await context.ledger.write({ event: "claim", run: holder.run, attempt: holder.attempt, action: "lost" });
    return false;
  }
  const published = context.folder.run(holder.run);
  await rename(files.folder, published.folder).catch((error: unknown) => {
    if (codeOf(error) !== "ENOTEMPTY" && codeOf(error) !== "EEXIST") throw error;
  });
  await syncFolder(context.folder.runs);
  for (const path of [published.ended, published.captured]) await rm(path, { force: true });
  return true;
}

function say(
  context: Context,
  { run, attempt }: Holder,
  state: RunState,
  result?: { outcome: RunOutcome; reason: string | null },
): Promise<void> {
  const more = result && { outcome: result.outcome, ...(result.reason === null ? {} : { reason: result.reason }) };
  return context.ledger.write({ event: "state", run, attempt, state, ...more });
}

function lineFor({ id, outcome, checks, durationMs, reason }: RunRecord): string {
  const judged = checks ? ` · ${checks.passed}/${checks.total} checks` : "";
  return `${id} ${outcome}${judged} · ${formatDuration(durationMs)}${reason === null ? "" : ` · ${reason}`}`;
}
