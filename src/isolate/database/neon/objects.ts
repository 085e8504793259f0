import type { Deps } from "../../../model/deps.js";
import type { Holder } from "../../../model/ids.js";
import type { ServerObjects } from "../database.js";
import type { Neon } from "./api.js";
import { findBranch, releaseBranch, requireOurs } from "./branches.js";
import { wrongProject } from "./check.js";
import { branchName, expiryOf, holderOfBranch } from "./names.js";
import { NeonRefusal } from "./weather.js";

const sweepMs = 2 * 60_000;

/**
 * A project with all branches of ours in it, of whatever experiment: what bears our annotation and the name that belongs to
 * it. A name that only begins like one of ours is nobody's business here.
 */
export function neonObjects(neon: Neon, project: string, { now }: Pick<Deps, "now">): ServerObjects {
  const until = (): number => now() + sweepMs;
  return {
    list: async () => {
      const branches = await neon.branches(until()).catch((error: unknown) => {
        throw error instanceof NeonRefusal ? wrongProject(project, error) : error;
      });
      return branches.flatMap((branch) => {
        const holder = holderOfBranch(branch);
        const expiresAt = expiryOf(branch);
        return holder
          ? [{ kind: "database" as const, id: branch.name, holder, ...(expiresAt ? { expiresAt } : {}) }]
          : [];
      });
    },
    release: async (holder: Holder) => {
      const found = await findBranch(neon, branchName(holder), until());
      if (!found) return;
      requireOurs(found, { holder, parentId: found.parentId });
      await releaseBranch(neon, found.id, until());
    },
    close: () => undefined,
  };
}
