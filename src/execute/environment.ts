import { join } from "node:path";
import { type Holder, holderName } from "../model/ids.js";
import type { Secret } from "../model/secret.js";

/** Absolute paths of one attempt of one run. */
export interface RunPaths {
  /** The workspace: current directory of all its programs. */
  repo: string;
  /** Private home folder, empty at first. */
  home: string;
  tmp: string;
  taskFile: string;
  claimsFile: string;
  /** What will be published as the run's folder. */
  out: string;
}

export interface EnvironmentOptions {
  /** The environment of whoever called us; PATH, LANG and TERM are taken from it and nothing else. */
  caller: Readonly<Record<string, string | undefined>>;
  holder: Holder;
  paths: RunPaths;
  databaseUrl?: Secret;
  /** For the command to choose its model by; set where the variant names one. */
  model?: string;
  /** First port of this run's own range. */
  portBase: number;
  /** Milliseconds since the epoch when the agent will be stopped. */
  deadline: number;
}

/** All that the agent, setup and checks of a run get to see; made anew, nothing inherited. */
export function agentEnvironment(options: EnvironmentOptions): Record<string, string> {
  const { caller, holder, paths, databaseUrl, model } = options;
  return {
    PATH: caller["PATH"] || "/usr/local/bin:/usr/bin:/bin",
    LANG: caller["LANG"] || "C.UTF-8",
    TERM: caller["TERM"] || "dumb",
    HOME: paths.home,
    TMPDIR: paths.tmp,
    XDG_CACHE_HOME: join(paths.home, ".cache"),
    PIP_CACHE_DIR: join(paths.home, ".cache", "pip"),
    npm_config_cache: join(paths.home, ".npm"),
    ...(databaseUrl ? { DATABASE_URL: databaseUrl.reveal() } : {}),
    ...(model === undefined ? {} : { MULTIRUN_MODEL: model }),
    MULTIRUN_EXPERIMENT: holder.experiment,
    MULTIRUN_RUN: holder.run,
    MULTIRUN_TASK_FILE: paths.taskFile,
    MULTIRUN_CLAIMS_FILE: paths.claimsFile,
    MULTIRUN_DEADLINE: new Date(options.deadline).toISOString(),
    MULTIRUN_PORT_BASE: String(options.portBase),
    MULTIRUN_NAMESPACE: `multirun-${holder.experiment}-${holderName(holder)}`,
  };
}
