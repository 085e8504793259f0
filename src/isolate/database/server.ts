import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { z } from "zod";
import { keepConnections } from "../../clients/connections.js";
import { readIfThere, toJson, writeDurably } from "../../clients/files.js";
import { type Client, toUrl, withClient } from "../../clients/postgres.js";
import { isAlive, ownIdentity, type ProcessIdentity } from "../../clients/processes.js";
import { removeTree } from "../../clients/remove.js";
import type { Deps } from "../../model/deps.js";
import { badInput, codeOf, MultirunError, messageOf } from "../../model/error.js";
import type { Experiment } from "../../model/experiment.js";
import type { ExperimentId } from "../../model/ids.js";
import { underLease } from "../claim.js";
import { openLeases } from "../leases.js";
import { nativeFolder, type Programs, readyPrograms } from "./binaries.js";
import { findUnfinished, initialise } from "./initdb.js";
import { endOrphans, serverMark } from "./orphans.js";
import { newPassword } from "./password.js";
import { forgetDeadPostmaster, freePort, maxConnections, startPostmaster, stopPostmaster } from "./postmaster.js";
import { canReach, type ServerUser, serverUser } from "./server-user.js";
import { adminSettings, asAdmin, type Site } from "./site.js";

export interface EmbeddedServer {
  /** Data folder. */
  readonly data: string;
  check(): Promise<void>;
  /** Starts it, or finds it running; exactly one process of several starts it. */
  start(): Promise<Site>;
  /** The running server; undefined where none answers. Starts nothing. */
  find(): Promise<Site | undefined>;
  stop(): Promise<void>;
  exists(): Promise<boolean>;
  /** Closes the connections that were kept. */
  close(): void;
}

type ServerDeps = Pick<Deps, "now" | "sleep" | "environment">;
export type ServerExperiment = Pick<Experiment, "id" | "work" | "parallel">;

const superuser = "multirun";
const leasePatienceMs = 120_000;
/** One that is dead refuses at once; one that is merely busy must not be taken for dead, as it is then stopped. */
const answerPatienceMs = 20_000;
const portTries = 3;
const removeTries = 10;
/** Kept back from the runs for the administrator and for capture. */
const ownConnections = 20;

/** How another process finds the server: `<work>/postgres.json`, for the user's eyes only. */
const attachment = z.strictObject({
  version: z.literal(1),
  port: z.number().int(),
  password: z.string(),
  major: z.number().int(),
});
type Attachment = z.infer<typeof attachment>;

/** A Postgres of the experiment's own in `<work>/postgres`, on loopback. */
export function embeddedServer(experiment: ServerExperiment, deps: ServerDeps): EmbeddedServer {
  const { work } = experiment;
  const data = join(work, "postgres");
  const paths = { data, log: `${data}.log`, json: `${data}.json`, native: `${data}.native` };
  const connectionLimit = Math.max(5, Math.floor((maxConnections - ownConnections) / experiment.parallel));
  let latest: { attachment: Attachment; site: Site } | undefined;
  // One site for one server, whose connections are kept; started anew it is another one.
  const site = (attachment: Attachment): Site => {
    if (latest && isDeepStrictEqual(attachment, latest.attachment)) return latest.site;
    close();
    latest = { attachment, site: openSite(attachment, connectionLimit) };
    return latest.site;
  };
  const close = () => latest?.site.connections.close();
  const find = async () => {
    const known = await readAttachment(paths.json);
    return known && (await answers(site(known))) ? site(known) : undefined;
  };
  const context = { ...paths, work, experiment: experiment.id, environment: serverEnvironment(experiment, deps), deps };
  const locked = <T>(use: () => Promise<T>) => withServerLease(`${data}.lease`, deps, use);
  return {
    data,
    find,
    check: () => checkEmbedded(work),
    exists: async () => (await exists(data)) || (await findUnfinished(data)).length > 0,
    start: async () => {
      await makeWork(work);
      return locked(async () => (await find()) ?? closeDefaults(site(await revive(context))));
    },
    stop: async () => {
      close();
      if (!(await exists(work))) return;
      await locked(() => remove(context));
    },
    close,
  };
}

function openSite({ port, password, major }: Attachment, connectionLimit: number): Site {
  const kind = { version: major, superuser: true, createsRoles: true, ours: true, connectionLimit };
  const admin = { host: "127.0.0.1", port, database: "postgres", user: superuser, password, parameters: {} };
  return { ...kind, admin, connections: keepConnections(toUrl(admin), { settings: adminSettings(kind) }) };
}

/** Starting and stopping is for one process at a time, whoever calls it. */
async function withServerLease<T>(folder: string, deps: ServerDeps, use: () => Promise<T>): Promise<T> {
  const alive = async (owner: ProcessIdentity) => isAlive(owner.pid, owner.startTime);
  const leases = await openLeases({ folder, owner: ownIdentity(), now: deps.now, isAlive: alive });
  const patience = AbortSignal.timeout(leasePatienceMs);
  return underLease({ leases, deps, signal: patience }, "server", use).catch((error: unknown) => {
    if (error !== patience.reason) throw error;
    throw new MultirunError("infra", `Another process has been at ${folder} for more than ${leasePatienceMs} ms`, {
      hint: "Look at what it does: multirun status.",
    });
  });
}

interface Context {
  work: string;
  data: string;
  log: string;
  json: string;
  native: string;
  experiment: ExperimentId;
  environment: Record<string, string>;
  deps: ServerDeps;
}

/** Runs have databases of their own: they have no business in those that come with the server. */
async function closeDefaults(site: Site): Promise<Site> {
  await asAdmin(site, (client) => client.query("REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC"));
  return site;
}

/** On its old data folder if there is one; where that fails, or there is none, from the beginning. */
async function revive(context: Context): Promise<Attachment> {
  const user = await serverUser();
  const programs = await readyPrograms(nativeFolder(), context.native, user);
  const known = await readAttachment(context.json);
  await stop(context); // It does not answer, or we would not be here.
  if (known && (await exists(join(context.data, "PG_VERSION")))) {
    try {
      await forgetDeadPostmaster(context.data);
      return await startOnFreePort(context, programs, user, known);
    } catch (error) {
      if (!(error instanceof MultirunError)) throw error; // Anything else than a server that does not start.
    }
  }
  await remove({ ...context, native: "" });
  const { data, environment } = context;
  const password = newPassword();
  await initialise({ program: programs.initdb, data, superuser, password, user, environment });
  const major = Number(await readFile(join(data, "PG_VERSION"), "utf8"));
  return startOnFreePort(context, programs, user, { version: 1, port: 0, password, major });
}

/** Written down before the start, so that a running server can always be found. */
async function startOnFreePort(
  context: Context,
  programs: Programs,
  user: ServerUser | undefined,
  known: Attachment,
): Promise<Attachment> {
  for (let attempt = 1; ; attempt++) {
    const next = { ...known, port: await freePort(attempt === 1 && known.port !== 0 ? known.port : undefined) };
    await writeDurably(context.json, toJson(next), 0o600);
    try {
      await startPostmaster({ ...context, program: programs.postgres, port: next.port, user });
      return next;
    } catch (error) {
      // Somebody may have taken the port.
      if (attempt === portTries) throw error;
      await context.deps.sleep(100);
    }
  }
}

/** Stops it and removes all of it but the lease. */
async function remove(context: Context): Promise<void> {
  const { data, json, log, native, deps } = context;
  await stop(context);
  for (const path of [json, log, native]) if (path) await rm(path, { recursive: true, force: true });
  for (const path of [data, ...(await findUnfinished(data))]) await removeStubborn(path, deps);
}

/** Where orphans cannot be found they may still write while they end. */
async function removeStubborn(path: string, deps: ServerDeps): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await removeTree(path);
    } catch (error) {
      if (attempt === removeTries) throw error;
      await deps.sleep(50);
    }
  }
}

async function stop({ data, experiment, work, deps }: Context): Promise<void> {
  await stopPostmaster(data, deps);
  await endOrphans(data, experiment, work);
}

async function readAttachment(path: string): Promise<Attachment | undefined> {
  const text = await readIfThere(path);
  return text === undefined ? undefined : attachment.parse(JSON.parse(text));
}

async function answers({ admin, connections }: Site): Promise<boolean> {
  const ask = (client: Client) => client.query("SELECT 1");
  const patience = { timeoutMs: answerPatienceMs };
  try {
    // A kept connection may have died with an earlier life of the server.
    await connections
      .lend(ask, AbortSignal.timeout(answerPatienceMs))
      .catch(() => withClient(toUrl(admin), patience, ask));
    return true;
  } catch {
    return false; // Gone, hanging, or somebody else on its port: each is mended by starting it anew.
  }
}

function serverEnvironment(experiment: ServerExperiment, { environment }: ServerDeps): Record<string, string> {
  const path = environment["PATH"] ?? "/usr/bin:/bin";
  const marks = { MULTIRUN_EXPERIMENT: experiment.id, MULTIRUN_RUN: serverMark, MULTIRUN_WORK: experiment.work };
  return { PATH: path, LC_ALL: "C", TZ: "UTC", ...marks };
}

/** Open to be passed through, closed to be listed. */
async function makeWork(work: string): Promise<void> {
  if (await exists(work)) return;
  await mkdir(work, { recursive: true });
  await chmod(work, 0o711);
}

/** Installed for this platform, runnable, and the server's user can reach where its data will be. */
async function checkEmbedded(work: string): Promise<void> {
  const native = nativeFolder();
  const user = await serverUser();
  let above = work;
  while (!(await exists(above))) above = dirname(above);
  if (!(await canReach(above, user))) {
    throw badInput(
      `The embedded server runs as user ${user?.name}, who cannot enter ${above}`,
      "Set TMPDIR to a folder everybody can enter, or run as an ordinary user.",
    );
  }
  const program = join(native, "bin", "postgres");
  try {
    await promisify(execFile)(program, ["--version"], { env: {} });
  } catch (error) {
    // Missing execute bits are mended at the start.
    if (codeOf(error) === "EACCES") return;
    throw badInput(
      `The embedded Postgres cannot run on this system: ${messageOf(error)}`,
      "Use --database postgres with a server of your own.",
      error,
    );
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === "ENOENT") return false;
      throw error;
    },
  );
}
