import PQueue from "p-queue";
import { readOnly } from "../../capture/read-only.js";
import { compareRows } from "../../capture/rows.js";
import { readSchema } from "../../capture/schema/snapshot.js";
import { createBorrowed } from "../../isolate/borrow.js";
import { claim, keepLease, underLease } from "../../isolate/claim.js";
import { createDatabases, type DatabaseProvider } from "../../isolate/database/database.js";
import { applySeeds } from "../../isolate/database/seed.js";
import { readLedger } from "../../isolate/ledger.js";
import type { Deps } from "../../model/deps.js";
import { badInput, MultirunError, messageOf } from "../../model/error.js";
import type { Experiment } from "../../model/experiment.js";
import { type ExperimentId, experimentId, type RunId } from "../../model/ids.js";
import type { LedgerLine } from "../../model/ledger.js";
import type { RowChanges } from "../../model/rows.js";
import type { SchemaSnapshot } from "../../model/schema.js";
import { prepareBase, readBase, sharedHolder } from "../base.js";
import { type BaseDatabase, type Context, captureMs, releaseMs, sharedLease, workerLease } from "../context.js";
import { leave } from "../finish.js";
import { createExperimentFolder, removeExperimentFolder } from "../folder.js";
import { openContext } from "../open.js";
import { isWholeSchema } from "./whole-schema.js";

export interface SqlFile {
  id: RunId;
  /** Name of the file, for messages. */
  file: string;
  sql: string;
}

/** What a run's SQL made, or why it could not be loaded. */
export type Loaded =
  | { schema: SchemaSnapshot; rows: RowChanges; lineage: "clone" | "independent" }
  | { reason: string };

export interface LoadedFolder {
  base: SchemaSnapshot;
  runs: ReadonlyMap<RunId, Loaded>;
  /** Base as a run that left it alone has it. */
  untouched: Loaded;
  /** What was borrowed and given back for it. */
  ledger: LedgerLine[];
}

export interface LoadOptions {
  deps: Deps;
  /** With the seeds of base; its id and work folder are this process's alone. */
  experiment: Experiment;
  /** Where the account of what is borrowed is kept meanwhile, for `sweep` to find. */
  folder: string;
  files: readonly SqlFile[];
  cancel: AbortController;
}

/** One SQL file may take so long: what it holds is somebody else's, and may never end. */
const loadMs = 2 * 60_000;

/**
 * Loads SQL files into an embedded server, one database each, and reads what they made. With a base, a file that creates
 * base's own tables is a whole schema and gets a database of its own; any other is a change and gets a copy of base. A file
 * that fails is that run's own trouble. Everything has gone back when this ends, however it ends.
 * @throws MultirunError `bad_input` where base fails, the signal's reason where it is cancelled
 */
export async function loadDatabases(options: LoadOptions): Promise<LoadedFolder> {
  const { deps, experiment, cancel } = options;
  const folder = await createExperimentFolder(options.folder, experiment);
  try {
    const opened = { deps, folder, experiment, databaseUrl: null, cancel, plainSeeds: true };
    const { context, close } = await openContext(opened);
    try {
      await context.database.check();
      const loaded = await asWorker(context, () => loadAll(context, options.files));
      return { ...loaded, ledger: await readLedger(folder.ledger) };
    } finally {
      await close();
    }
  } finally {
    await removeExperimentFolder(folder);
  }
}

/** Held like any experiment, so that a sweep leaves it alone while it lives and finds what it left where it was killed. */
async function asWorker<T>(context: Context, work: () => Promise<T>): Promise<T> {
  const worker = await claim(context, `${workerLease}${process.pid}-${context.deps.now()}`);
  const guard = keepLease(worker);
  try {
    return await work();
  } finally {
    guard.stop();
    await leave(context, worker);
  }
}

/** Where files are loaded: copies of base, or databases of their own. */
interface Place {
  databases: DatabaseProvider;
  experiment: ExperimentId;
  lineage: "clone" | "independent";
  /** What a database holds before a file is loaded into it. */
  begins: "as base" | "empty";
}

/** A file that gives a table no rows at all says nothing about rows: most schemas are written down without. */
function withoutUnloaded(rows: RowChanges): RowChanges {
  return { ...rows, tables: rows.tables.filter(({ state, runRows }) => state !== "matched" || runRows > 0) };
}

async function loadAll(context: Context, files: readonly SqlFile[]): Promise<Omit<LoadedFolder, "ledger">> {
  const { experiment, signal, database } = context;
  const shared = createBorrowed({ ledger: context.ledger, releaseMs });
  await underLease(context, sharedLease, async () => {
    await shared.borrow(context.work, sharedHolder(context, "base"));
    if (database.server) await shared.borrow(database.server, sharedHolder(context, "base"));
    await prepareBase(context, shared);
  });
  const base = await readBase(context);
  if (base === null) throw new MultirunError("infra", "there is no base to compare with");
  const hasBase = experiment.database.seeds.length > 0;
  const copies: Place = {
    databases: database,
    experiment: experiment.id,
    lineage: hasBase ? "clone" : "independent",
    begins: "as base",
  };
  const isWhole = (file: SqlFile) => hasBase && isWholeSchema(file.sql, base.reference.schema);
  const own = files.some(isWhole) ? await openOwn(context) : copies;
  const queue = new PQueue({ concurrency: experiment.parallel });
  const loaded = new Map<RunId, Loaded>();
  try {
    await queue.addAll(
      files.map((file) => async () => {
        if (signal.aborted) return;
        loaded.set(file.id, await load(context, { file, place: isWhole(file) ? own : copies, base }));
      }),
    );
  } finally {
    if (own !== copies) own.databases.close();
  }
  if (signal.aborted) throw signal.reason;
  const schema = base.reference.schema;
  const rows = { version: 1 as const, tables: [], unreadable: [] };
  return { base: schema, runs: loaded, untouched: { schema, rows, lineage: copies.lineage } };
}

/** Databases that begin empty, on the same server. */
async function openOwn(context: Context): Promise<Place> {
  const { experiment, deps, ledger } = context;
  const id = experimentId.parse(`own-${experiment.id}`.slice(0, 40).replace(/-+$/, ""));
  const plan = { ...experiment, id, database: { ...experiment.database, seeds: [] } };
  const databases = createDatabases({ experiment: plan, deps, plainSeeds: true });
  const holder = { experiment: id, run: "base", attempt: 1 } as const;
  await createBorrowed({ ledger, releaseMs }).borrow(databases.databases, holder);
  await databases.seal();
  return { databases, experiment: id, lineage: "independent", begins: "empty" };
}

interface Load {
  file: SqlFile;
  place: Place;
  base: BaseDatabase;
}

async function load(context: Context, { file, place, base }: Load): Promise<Loaded> {
  const { databases, experiment, lineage } = place;
  const borrowed = createBorrowed({ ledger: context.ledger, releaseMs });
  try {
    const { url, name } = await borrowed.borrow(databases.databases, { experiment, run: file.id, attempt: 1 });
    const seed = { path: file.file, sha256: "", sql: file.sql };
    await inTime(() => applySeeds(url, [seed], {}), { context, end: () => databases.endSessions(name), file });
    await databases.endSessions(name);
    const reading = { timeoutMs: captureMs, subject: "The database" };
    return await readOnly(databases.adminUrl(name), reading, async (run, { again, beside }) => {
      const schema = await readSchema(run, beside);
      const rows = await compareRows({ reference: base.reference, run, again, runSchema: schema, lineage });
      return { schema, rows: place.begins === "empty" ? withoutUnloaded(rows) : rows, lineage };
    });
  } catch (error) {
    return { reason: messageOf(error) };
  } finally {
    await borrowed.giveBack();
  }
}

/** Ends a file's session from outside where it takes too long or nobody waits for it any more: its own limits are its own. */
async function inTime(
  work: () => Promise<void>,
  { context, end, file }: { context: Context; end: () => Promise<void>; file: SqlFile },
): Promise<void> {
  const late = AbortSignal.timeout(loadMs);
  const over = AbortSignal.any([late, context.signal]);
  const stop = (): void => {
    end().catch((error: unknown) => context.deps.log.warn(`${file.file}: ${messageOf(error)}`));
  };
  over.addEventListener("abort", stop);
  try {
    await work();
  } catch (error) {
    if (!late.aborted) throw error;
    throw badInput(`${file.file}: it did not end within ${loadMs / 1000} s`, "Leave out what waits.", error);
  } finally {
    over.removeEventListener("abort", stop);
  }
}
