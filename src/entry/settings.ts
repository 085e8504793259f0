import { join } from "node:path";
import { readIfThere } from "../clients/files.js";
import type { Config } from "../model/config.js";
import type { Deps } from "../model/deps.js";
import { Secret } from "../model/secret.js";
import { configPath, readConfig } from "../plan/config.js";

const defaultUrlVariable = "MULTIRUN_DATABASE_URL";

/** The settings a repo keeps, none where it keeps none. */
export async function readRepoConfig(repo: string): Promise<Config> {
  const text = await readIfThere(join(repo, configPath));
  return text === undefined ? {} : readConfig(text);
}

/** The URL of a user's server: flag, else the variable the file names, else `$MULTIRUN_DATABASE_URL`. */
export function findDatabaseUrl(deps: Deps, config: Config, flag: string | undefined): Secret | null {
  const url = flag ?? deps.environment[config.database?.urlFrom ?? defaultUrlVariable];
  return url ? new Secret(url) : null;
}
