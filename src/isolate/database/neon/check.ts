import { badInput } from "../../../model/error.js";
import type { NeonPlace } from "../../../model/experiment.js";
import type { Neon } from "./api.js";
import { hostOf } from "./neon.js";
import { NeonRefusal } from "./weather.js";

/** What is known of the project before anything is made. */
export interface Project {
  parentId: string;
  /** Where the parent is served: nothing of ours may be. */
  parentHosts: string[];
  /** How many branches there is room for. */
  free: number;
}

/** Base, and one run. */
const leastBranches = 2;

/**
 * Looks at the project without leaving anything there.
 * @throws MultirunError `bad_input` naming the setting that is wrong and where its value is found
 */
export async function checkProject(neon: Neon, place: NeonPlace, until: number): Promise<Project> {
  const [limit, branches] = await Promise.all([neon.branchLimit(until), neon.branches(until)]).catch(
    (error: unknown) => {
      throw error instanceof NeonRefusal ? wrongProject(place.project, error) : error;
    },
  );
  const parent =
    place.parent === null
      ? branches.find(({ isDefault }) => isDefault)
      : branches.find(({ id, name }) => id === place.parent || name === place.parent);
  if (!parent) {
    const names = branches.map(({ name }) => name).filter((name) => !name.startsWith("multirun/"));
    throw badInput(
      `database.parent: the project ${place.project} has no branch "${place.parent ?? "(default)"}"`,
      `Name a branch as Neon's console lists it: ${names.slice(0, 10).join(", ")}.`,
    );
  }
  for (const [setting, kind] of [
    ["database", "databases"],
    ["role", "roles"],
  ] as const) {
    const names = await neon.names(kind, parent.id, until);
    if (names.includes(place[setting])) continue;
    throw badInput(
      `database.${setting}: the branch ${parent.name} has no ${setting} "${place[setting]}"`,
      `Name one of: ${names.slice(0, 10).join(", ")}.`,
    );
  }
  const free = limit - branches.length;
  if (free < leastBranches) {
    throw badInput(
      `the project ${place.project} has ${branches.length} of ${limit} branches, and an experiment takes ${leastBranches} at least`,
      "Delete branches that nobody needs (multirun sweep finds ours), or use --database embedded.",
    );
  }
  const at = { branchId: parent.id, database: place.database, role: place.role };
  const urls = await Promise.all([true, false].map((pooled) => neon.uri({ ...at, pooled }, until)));
  return { parentId: parent.id, parentHosts: urls.map(hostOf), free };
}

/** Why a project cannot be used at all, with the setting to correct. */
export function wrongProject(project: string, { status, message }: NeonRefusal): Error {
  if (status === 401) {
    return badInput(
      `NEON_API_KEY was refused (401: ${message})`,
      "Make a key in Neon's console under Account settings, API keys.",
    );
  }
  return badInput(
    `database.project: "${project}" cannot be used with this key (${status}: ${message})`,
    "Copy the project's id from its settings in Neon's console; the key's owner must have access to it.",
  );
}
