import { rm } from "node:fs/promises";
import { openReference } from "../capture/reference.js";
import { readArtifact, toJson, writeDurably } from "../clients/files.js";
import { type BorrowedSet, createBorrowed } from "../isolate/borrow.js";
import type { RunDatabase } from "../isolate/database/database.js";
import type { Lease } from "../isolate/leases.js";
import { badInput, MultirunError } from "../model/error.js";
import type { Variant } from "../model/experiment.js";
import type { Holder } from "../model/ids.js";
import { checksSchema } from "../model/record.js";
import { schemaSnapshot } from "../model/schema.js";
import { type Attempt, enclose, setUp } from "./attempt.js";
import { checkWork } from "./check.js";
import { type BaseDatabase, type Context, captureMs, releaseMs } from "./context.js";

/** Ports of the untouched project's own programs: the range below those of all runs. */
const basePort = 19_980;

/**
 * Makes the database every run is cloned from: seeds, then the setup commands in a workspace of the untouched project,
 * then closed. What migrations make is no choice of any run. Called under the shared lease; a process that comes second
 * finds it made.
 * @throws MultirunError `bad_input` where a seed or a setup command fails
 */
export async function prepareBase(context: Context, shared: BorrowedSet): Promise<void> {
  const { provider, databases } = context.database;
  if (provider === "none" || (await context.database.isSealed())) return;
  const holder = sharedHolder(context, "base");
  // A crash may have come between seeds and setup: half a base is none.
  await databases.release(holder);
  await setUpBase(context, holder, await shared.borrow(databases, holder));
  await context.database.seal();
}

/** A copy of the sealed base that nobody works in. */
export async function readBase(context: Context): Promise<BaseDatabase | null> {
  const { provider, databases } = context.database;
  if (provider === "none") return null;
  // Held apart from what the runs stand on: where this fails, only this goes back.
  const { name } = await createBorrowed({ ledger: context.ledger, releaseMs }).borrow(
    databases,
    sharedHolder(context, "reference"),
  );
  const reference = await openReference(context.database.adminUrl(name), { timeoutMs: captureMs });
  const schema = toJson(reference.schema);
  const recorded = await readArtifact(context.folder.base.schema, schemaSnapshot, "base/schema.json");
  if (!recorded) await writeDurably(context.folder.base.schema, schema);
  return { reference, sameAsRecorded: !recorded || toJson(recorded) === schema };
}

async function setUpBase(context: Context, holder: Holder, database: RunDatabase): Promise<void> {
  const variant = untouched(context);
  if (variant.setup.length === 0) return;
  const borrowed = createBorrowed({ ledger: context.ledger, releaseMs });
  let place: Place | undefined;
  try {
    place = await inWorkspace(context, borrowed, { holder, database });
    await orExplain(context, { ...place, variant });
  } finally {
    await place?.network?.close();
    await borrowed.giveBack();
  }
}

/** Runs every check once on the untouched project, so that a check that was broken is told from one that failed before. */
export async function checkBaseline(context: Context, lease: Lease): Promise<void> {
  const variant = untouched(context);
  const known = await readArtifact(context.folder.base.checks, checksSchema, "base/checks.json");
  if (known || variant.checks.length === 0) return;
  const borrowed = createBorrowed({ ledger: context.ledger, releaseMs });
  const holder: Holder = { ...sharedHolder(context, "baseline"), attempt: lease.epoch };
  let place: Place | undefined;
  try {
    const { provider, databases } = context.database;
    const database = provider === "none" ? null : await borrowed.borrow(databases, holder);
    place = await inWorkspace(context, borrowed, { holder, database });
    const attempt = { ...place, variant };
    await orExplain(context, attempt);
    const results = await checkWork(context, attempt);
    for (const { title, unread } of results) {
      if (unread !== undefined) context.deps.log.warn(`the untouched project, tests of ${title}: ${unread}`);
    }
    // Cancelled checks say nothing of the project: whoever resumes runs them again.
    if (results.some(({ status }) => status === "skip")) await rm(attempt.files.checks, { force: true });
  } finally {
    await place?.network?.close();
    await borrowed.giveBack();
  }
}

async function orExplain(context: Context, attempt: Attempt): Promise<void> {
  const result = await setUp(context, attempt);
  if (result.ok) return;
  if (result.cancelled) throw context.signal.reason;
  throw badInput(
    `setup fails on the untouched project: ${result.reason}${result.tail ? `\n${result.tail}` : ""}`,
    "Make it work on a fresh clone of the base commit, then start again.",
  );
}

type Place = Omit<Attempt, "variant">;

async function inWorkspace(
  context: Context,
  borrowed: BorrowedSet,
  { holder, database }: Pick<Attempt, "holder" | "database">,
): Promise<Place> {
  const workspace = await borrowed.borrow(context.workspaces, holder);
  return {
    holder,
    workspace,
    database,
    ...(await enclose(context, holder, { workspace, database })),
    files: context.folder.base,
    planned: { portBase: basePort },
    secrets: [...context.secrets],
    signal: context.signal,
  };
}

/** The first variant's settings, with the checks of all. */
function untouched({ experiment }: Context): Variant {
  const [first] = experiment.variants;
  if (!first) throw new MultirunError("bad_artifact", "experiment.json has no variant");
  const checks = experiment.variants.flatMap((each) => each.checks);
  return { ...first, checks: [...new Map(checks.map((check) => [check.id, check])).values()] };
}

/** Who holds what all runs share. */
export function sharedHolder({ experiment }: Context, run: "base" | "reference" | "baseline"): Holder {
  return { experiment: experiment.id, run, attempt: 1 };
}
