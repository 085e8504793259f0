import { join } from "node:path";
import { readIfThere } from "../clients/files.js";
import type { Config } from "../model/config.js";
import type { Deps } from "../model/deps.js";
import { badInput } from "../model/error.js";
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

/**
 * The URL a command was given, or the environment variable that holds it: a process list shows arguments, with passwords
 * and all.
 * @throws MultirunError `bad_input` where there is no such variable
 */
export function urlGiven(deps: Deps, text: string): Secret {
  if (!/^[A-Za-z_]\w*$/.test(text)) return new Secret(text);
  const url = deps.environment[text];
  if (url) return new Secret(url);
  throw badInput(
    `"${text}" is neither a URL nor a variable of the environment`,
    "Write postgres://user:password@host/db.",
  );
}
