import PQueue from "p-queue";
import { parseAddress } from "../../clients/postgres.js";
import type { Deps } from "../../model/deps.js";
import { badInput, MultirunError } from "../../model/error.js";
import { type Experiment, lifetimeMs } from "../../model/experiment.js";
import type { Holder } from "../../model/ids.js";
import type { Secret } from "../../model/secret.js";
import type { Held, Resource } from "../resource.js";
import { acquireBase, isBaseSealed, releaseDatabase, sealBase } from "./base.js";
import { inspectServer } from "./check.js";
import { acquireClone } from "./clone.js";
import { listMarkedObjects } from "./listing.js";
import { databaseName, holderOf, type Marker } from "./names.js";
import { neonDatabasesOf } from "./neon/open.js";
import { embeddedServer } from "./server.js";
import { endSessionsIn } from "./sessions.js";
import { readerUrl, type Site } from "./site.js";

export interface RunDatabase {
  url: Secret;
  name: string;
  /** Objects keep their catalog identity over all databases of an experiment. */
  lineage: "clone";
}

export interface DatabaseProvider {
  readonly provider: "embedded" | "postgres" | "neon" | "none";
  /**
   * Leaves nothing.
   * @returns how many runs there is room for at once; null where nothing bounds them
   * @throws MultirunError `bad_input`: not reachable, too old, no room, or rights are missing
   */
  check(): Promise<{ atOnce: number | null }>;
  /**
   * The embedded server; null where the server is not ours. `acquire` starts it, finds it running, or revives a dead one
   * on its data folder, whoever else holds it; where it runs this takes milliseconds. After a revival the databases are
   * there as they were, base sealed if it was, and URLs given out before stay good unless somebody took the port.
   * Only where the folder was lost or spoilt is the server empty: `isSealed` is false then, and base must be made again.
   */
  readonly server: Resource<void> | null;
  /**
   * One database per attempt, cloned from `base`. `base` itself is made from the seeds, once for all processes;
   * `reference` is a clone that nobody works in.
   */
  readonly databases: Resource<RunDatabase>;
  /** Closes base to connections, so that all clones are clones of one state. Until then its URL is good for setup. */
  seal(): Promise<void>;
  /** True where base is complete and closed. */
  isSealed(): Promise<boolean>;
  /**
   * Ends all sessions in a database of ours, whoever's: what an agent left connected keeps locks that capture would wait
   * for. Call it when the agent's processes are gone and before capture. Logging in again stays possible.
   * @throws MultirunError `timed_out` where some do not end, `infra` where the server does not run
   */
  endSessions(databaseName: string): Promise<void>;
  /** As whom capture reads a database: sees everything, changes nothing. Call it after `base` was acquired. */
  adminUrl(databaseName: string): Secret;
  /** Closes connections that were kept. Whoever goes on afterwards makes new ones. */
  close(): void;
}

export interface DatabaseOptions {
  experiment: Pick<Experiment, "id" | "repo" | "work" | "parallel" | "database" | "variants" | "runs">;
  /** `postgres`: the administrator's URL. */
  url?: Secret;
  /** `neon`: the key of its API. */
  neonKey?: Secret;
  /** True where nobody vouches for the seeds: they run as a plain role that owns base, also on the embedded server. */
  plainSeeds?: boolean;
  deps: Pick<Deps, "log" | "now" | "sleep" | "environment">;
}

/** @throws MultirunError `bad_input` where the provider lacks its URL or is not known here */
export function createDatabases(options: DatabaseOptions): DatabaseProvider {
  const { provider } = options.experiment.database;
  if (provider === "none") return noDatabases();
  if (provider === "embedded") return embeddedDatabases(options);
  if (provider === "neon") return neonDatabasesOf(options);
  if (options.url) return serverDatabases(options, options.url);
  throw badInput("The provider postgres needs the URL of a server", "Give it with --database-url or database.urlFrom.");
}

function embeddedDatabases(options: DatabaseOptions): DatabaseProvider {
  const { experiment } = options;
  const server = embeddedServer(experiment, options.deps);
  let running: Site | undefined;
  let looking: Promise<Site | undefined> | undefined;
  // Looked for on every use, as it may die at any time; runs that ask at the same moment share the answer.
  const find = async () => {
    looking ??= server.find().finally(() => {
      looking = undefined;
    });
    running = await looking;
    return running;
  };
  return {
    provider: "embedded",
    check: async () => {
      await server.check();
      return { atOnce: null };
    },
    server: {
      kind: "server",
      idFor: () => server.data,
      acquire: async () => {
        running = await server.start();
      },
      release: async () => {
        running = undefined;
        await server.stop();
      },
      list: async () =>
        (await server.exists())
          ? [{ kind: "server", id: server.data, holder: { experiment: experiment.id, run: "base", attempt: 1 } }]
          : [],
    },
    close: server.close,
    ...databasesOn(options, { find, current: () => running }),
  };
}

function serverDatabases(options: DatabaseOptions, url: Secret): DatabaseProvider {
  const { log } = options.deps;
  const admin = parseAddress(url);
  let inspected: Promise<Site> | undefined;
  let known: Site | undefined;
  const find = () => {
    inspected ??= inspectServer(url).then(
      (site) => {
        known = site;
        if (!site.createsRoles) log.warn(sharedRoleWarning(admin.user));
        return site;
      },
      (error) => {
        inspected = undefined; // Not reachable now says nothing about later.
        throw error;
      },
    );
    return inspected;
  };
  return {
    provider: "postgres",
    check: async () => {
      await find();
      return { atOnce: null };
    },
    server: null,
    close: () => known?.connections.close(),
    ...databasesOn(options, { find, current: () => known }),
  };
}

function sharedRoleWarning(user: string): string {
  return (
    `Role "${user}" may not create roles: every run gets this role and its password, can reach the other runs' databases ` +
    `and whatever else the role may. ALTER ROLE "${user}" CREATEROLE keeps them apart.`
  );
}

interface SiteSource {
  /** Looks; undefined where the embedded server does not run (any more). */
  find(): Promise<Site | undefined>;
  /** As it was last found. */
  current(): Site | undefined;
}

/** Each takes two connections of a server that may have few; more than this at once is no faster, either. */
const atOnce = 8;

function databasesOn(
  options: DatabaseOptions,
  source: SiteSource,
): Pick<DatabaseProvider, "databases" | "seal" | "isSealed" | "endSessions" | "adminUrl"> {
  const { experiment, deps } = options;
  const queue = new PQueue({ concurrency: atOnce });
  // Looked for each time: since the last time it may have died, or another process may have started it anew elsewhere.
  const need = async () => (await source.find()) ?? fail("The embedded server does not run");
  const base: Holder = { experiment: experiment.id, run: "base", attempt: 1 };
  const acquire = async (site: Site, holder: Holder): Promise<RunDatabase> => {
    const name = databaseName(holder);
    const marker = markerFor(options, holder);
    if (holder.run !== "base") return { url: await acquireClone(site, holder, marker, deps), name, lineage: "clone" };
    const url = await acquireBase(site, {
      holder,
      marker,
      seeds: experiment.database.seeds,
      plain: options.plainSeeds ?? false,
    });
    return { url, name, lineage: "clone" };
  };
  return {
    databases: {
      kind: "database",
      idFor: databaseName,
      acquire: (holder) => queue.add(async () => acquire(await need(), holder)),
      release: (holder) =>
        queue.add(async () => {
          const site = await source.find();
          if (site) await releaseDatabase(site, holder);
        }),
      list: async () => {
        const site = await source.find();
        return site ? listMarkedObjects(site) : [];
      },
    },
    seal: async () => sealBase(await need(), base, deps),
    isSealed: async () => {
      const site = await source.find();
      return site !== undefined && isBaseSealed(site, base);
    },
    endSessions: async (name) => (await need()).connections.lend((client) => endSessionsIn(client, name, deps)),
    adminUrl: (name) => {
      const site = source.current() ?? fail("No server is known yet");
      return readerUrl(site, holderOf(name)?.experiment ?? experiment.id, name);
    },
  };
}

function markerFor({ experiment, deps }: DatabaseOptions, holder: Holder): Marker {
  const expiresAt = new Date(deps.now() + lifetimeMs(experiment)).toISOString();
  return {
    multirun: 1,
    experiment: holder.experiment,
    run: holder.run,
    repo: experiment.repo,
    expiresAt,
    state: "making",
  };
}

function fail(message: string): never {
  throw new MultirunError("infra", message, { hint: "Acquire the server and base first." });
}

function noDatabases(): DatabaseProvider {
  const none = () => fail("This experiment has no database");
  return {
    provider: "none",
    check: async () => ({ atOnce: null }),
    server: null,
    databases: {
      kind: "database",
      idFor: databaseName,
      acquire: async () => none(),
      release: async () => undefined,
      list: async () => [],
    },
    seal: async () => undefined,
    isSealed: async () => true,
    endSessions: async () => undefined,
    adminUrl: none,
    close: () => undefined,
  };
}

/** A user's server with all of ours on it, of whatever experiment. */
export interface ServerObjects {
  list(): Promise<Held[]>;
  /** Drops what one holder has. */
  release(holder: Holder): Promise<void>;
  close(): void;
}

/** @throws MultirunError `bad_input`: not reachable, too old, or rights are missing */
export async function openServerObjects(url: Secret): Promise<ServerObjects> {
  const site = await inspectServer(url);
  return {
    list: () => listMarkedObjects(site),
    release: (holder) => releaseDatabase(site, holder),
    close: () => site.connections.close(),
  };
}
