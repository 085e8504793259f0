import { join } from "node:path";
import { isAlive, ownIdentity } from "../clients/processes.js";
import { createDatabases } from "../isolate/database/database.js";
import { openLeases } from "../isolate/leases.js";
import { openLedger } from "../isolate/ledger.js";
import { createNetwork } from "../isolate/network/network.js";
import { createSandbox } from "../isolate/sandbox/sandbox.js";
import { createWork } from "../isolate/work.js";
import { createWorkspaces } from "../isolate/workspace/workspace.js";
import type { Deps, Log } from "../model/deps.js";
import type { Experiment, Variant } from "../model/experiment.js";
import { redact, Secret } from "../model/secret.js";
import { watchCancelFile } from "./cancel-file.js";
import type { Context } from "./context.js";
import type { ExperimentFolder } from "./folder.js";
import { createModels } from "./models.js";
import { secretsOfCaller } from "./secrets.js";

export interface OpenOptions {
  deps: Deps;
  folder: ExperimentFolder;
  experiment: Experiment;
  databaseUrl: Secret | null;
  cancel: AbortController;
  /** See `DatabaseOptions`. */
  plainSeeds?: boolean;
}

/** Opens ledger, leases and resources of an experiment; starts and makes nothing yet. */
export async function openContext(options: OpenOptions): Promise<{ context: Context; close: () => Promise<void> }> {
  const { folder, experiment, cancel } = options;
  const secrets = secretsOfCaller(options.deps.environment, options.databaseUrl);
  const deps = { ...options.deps, log: redacting(options.deps.log, secrets) };
  const ledger = await openLedger(folder.ledger, deps.now);
  const stopWatching = watchCancelFile(folder.cancel, cancel);
  const { id, repo, base, work } = experiment;
  const context: Context = {
    folder,
    experiment,
    deps,
    ledger,
    leases: await openExperimentLeases(folder, deps),
    work: createWork({ experiment: id, experimentFolder: folder.path, work, now: deps.now }),
    workspaces: createWorkspaces({ git: deps.git, repo, base, experiment: id, work, warn: deps.log.warn }),
    database: createDatabases({
      experiment,
      deps,
      plainSeeds: options.plainSeeds ?? false,
      ...(options.databaseUrl ? { url: options.databaseUrl } : {}),
      ...neonKeyIn(deps.environment),
    }),
    parallel: experiment.parallel,
    sandbox: createSandbox(experiment.sandbox, {
      path: deps.environment["PATH"] ?? "",
      home: deps.environment["HOME"],
      hidden: [repo, work, folder.path],
      commands: experiment.variants.flatMap(commandsOf),
      expose: experiment.expose,
    }),
    network: createNetwork({ allow: experiment.network?.allow ?? null, folder: join(work, "network") }),
    models: createModels({ experiment, folder, deps }),
    secrets,
    signal: cancel.signal,
  };
  const close = async (): Promise<void> => {
    stopWatching();
    await context.models.close();
    context.database.close();
    await ledger.close();
  };
  return { context, close };
}

function redacting(log: Log, secrets: readonly Secret[]): Log {
  return {
    info: (line) => log.info(redact(line, secrets)),
    warn: (line) => log.warn(redact(line, secrets)),
  };
}

/** Whatever of a variant is a line of the user's for the shell. */
function commandsOf({ command, setup, checks }: Variant): string[] {
  return [...(command === null ? [] : [command]), ...setup, ...checks.map((check) => check.command)];
}

/** The leases of an experiment as this process sees them. */
export function openExperimentLeases(folder: ExperimentFolder, deps: Pick<Deps, "now">) {
  return openLeases({
    folder: folder.leases,
    owner: ownIdentity(),
    now: deps.now,
    isAlive: async (each) => isAlive(each.pid, each.startTime),
  });
}

/** The key of Neon's API, where the caller has one. */
export function neonKeyIn(environment: Deps["environment"]): { neonKey?: Secret } {
  const key = environment["NEON_API_KEY"];
  return key ? { neonKey: new Secret(key) } : {};
}
