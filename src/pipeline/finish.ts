import { existsSync } from "node:fs";
import { toJson, writeDurably } from "../clients/files.js";
import { underLease } from "../isolate/claim.js";
import type { Lease } from "../isolate/leases.js";
import { MultirunError } from "../model/error.js";
import type { Report } from "../model/report.js";
import { redactIn } from "../model/secret.js";
import { renderMarkdown } from "../report/markdown.js";
import { keepBaseFiles } from "./base-files.js";
import { type Context, hasWorkers, sharedLease } from "./context.js";
import { giveBackAll } from "./give-back.js";
import { synthesizeFolder } from "./synthesize.js";

const pollMs = 300;

/**
 * Ends one process's part of an experiment. Under the lease of what is shared it stops being a worker and looks for others: the
 * last one gives back all that exists. Those before it wait, in case the last one dies at it, unless they were cancelled.
 */
export async function leave(context: Context, worker: Lease): Promise<void> {
  try {
    await leaveInTurn(context, worker);
  } catch (error) {
    if (existsSync(context.folder.experiment)) throw error;
    // Without the folder there are no leases, and nobody else can go on either.
    await giveBackAll(context);
    throw new MultirunError("failed", `${context.folder.path} was removed while the experiment ran`, {
      hint: "What the runs held was given back; start again.",
      cause: error,
    });
  }
}

async function leaveInTurn(context: Context, worker: Lease): Promise<void> {
  // Leaving is not cancelled: what is held must go back.
  const unhurried = { ...context, signal: new AbortController().signal };
  for (;;) {
    const last = await underLease(unhurried, sharedLease, async () => {
      await worker.giveBack();
      if (await hasWorkers(context.leases)) return false;
      if (!context.experiment.keep) await giveBackAll(context);
      return true;
    });
    if (last || context.signal.aborted) return;
    await context.deps.sleep(pollMs);
  }
}

/** Writes `report.json` and `report.md` from what lies in the experiment's folder. */
export async function writeReport(context: Context): Promise<Report> {
  const { folder, secrets } = context;
  await keepBaseFiles(context);
  const report = redactIn(await synthesizeFolder(folder.path), secrets);
  await writeDurably(folder.report.json, toJson(report));
  await writeDurably(folder.report.markdown, renderMarkdown(report));
  return report;
}
