import { badInput, MultirunError } from "../../../model/error.js";
import type { Secret } from "../../../model/secret.js";
import type { DatabaseOptions, DatabaseProvider, ServerObjects } from "../database.js";
import { type Neon, openNeon } from "./api.js";
import { neonDatabases } from "./neon.js";
import { neonObjects } from "./objects.js";

/** @throws MultirunError `bad_input` where there is no key */
export function neonDatabasesOf({ experiment, neonKey, deps }: DatabaseOptions): DatabaseProvider {
  const place = experiment.database.neon;
  if (!place) throw new MultirunError("bad_artifact", "experiment.json names no Neon project");
  if (!neonKey) {
    throw badInput("database: neon needs a key: NEON_API_KEY is not set", "Make one in Neon's console under API keys.");
  }
  let opened: Promise<Neon> | undefined;
  const neon = () => {
    opened ??= openNeonOf(place.project, neonKey, deps);
    return opened;
  };
  return neonDatabases({ experiment, place, neon, deps });
}

/** A Neon project with all of ours in it, of whatever experiment. */
export async function openNeonObjects(
  project: string,
  { neonKey, deps }: Pick<DatabaseOptions, "neonKey" | "deps">,
): Promise<ServerObjects> {
  if (!neonKey) {
    throw badInput("--neon needs a key: NEON_API_KEY is not set", "Make one in Neon's console under API keys.");
  }
  return neonObjects(await openNeonOf(project, neonKey, deps), project, deps);
}

function openNeonOf(project: string, key: Secret, deps: DatabaseOptions["deps"]): Promise<Neon> {
  const url = deps.environment["NEON_API_URL"];
  return openNeon({ key, project, deps, ...(url ? { url } : {}) });
}
