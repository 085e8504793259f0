import type { Deps } from "../../../model/deps.js";
import { MultirunError } from "../../../model/error.js";
import type { Holder } from "../../../model/ids.js";
import type { Neon, NeonBranch } from "./api.js";
import { annotationOf, type BranchMark, branchName, holderOfBranch } from "./names.js";
import { FailedOperation, NeonRefusal, untilDone } from "./weather.js";

export interface BranchWish {
  holder: Holder;
  parentId: string;
  at: string | null;
  mark: BranchMark;
}

/**
 * The branch of one holder, made or found: an answer that was lost leaves a branch that only its name and annotation tell.
 * @param until milliseconds since the epoch
 * @throws MultirunError `infra` where what has the name is not ours, or no room comes in time
 */
export async function acquireBranch(
  neon: Neon,
  { holder, parentId, at, mark }: BranchWish,
  { until, now, sleep }: Pick<Deps, "now" | "sleep"> & { until: number },
): Promise<NeonBranch> {
  const name = branchName(holder);
  const wish = { name, parentId, at, expiresAt: mark.expires, annotation: annotationOf(mark) };
  const make = async (): Promise<void> => {
    try {
      await neon.create(wish, until);
    } catch (error) {
      if (error instanceof FailedOperation) {
        // What is half there is not built upon.
        const half = await findBranch(neon, name, until);
        if (half) await releaseBranch(neon, requireOurs(half, { holder, parentId }).id, until);
      }
      throw error;
    }
  };
  for (;;) {
    try {
      await untilDone(make);
      break;
    } catch (error) {
      if (!(error instanceof NeonRefusal)) throw error;
      if (error.status === 409) break;
      if (!isFull(error) || now() + roomMs > until) throw refused(name, error);
      await sleep(roomMs);
    }
  }
  const found = await findBranch(neon, name, until);
  if (!found) throw new MultirunError("infra", `the branch ${name} was made and is not there`);
  return requireOurs(found, { holder, parentId });
}

const roomMs = 2_000;

/** By its exact name, on whatever page: search would find others that begin alike. */
export async function findBranch(neon: Neon, name: string, until: number): Promise<NeonBranch | undefined> {
  return (await neon.branches(until)).find((branch) => branch.name === name);
}

/** @throws MultirunError `infra` with what was found: it is neither used nor deleted */
export function requireOurs(
  branch: NeonBranch,
  { holder, parentId }: { holder: Holder; parentId: string | null },
): NeonBranch {
  const found = holderOfBranch(branch);
  const ours = found !== undefined && branchName(found) === branchName(holder);
  const why = [
    ...(ours ? [] : ["it does not bear our annotation"]),
    ...(branch.parentId === parentId ? [] : [`it comes from ${branch.parentId ?? "no branch"} instead of ${parentId}`]),
    ...(branch.isDefault ? ["it is the project's default branch"] : []),
    ...(branch.isProtected ? ["it is protected"] : []),
  ];
  if (why.length === 0) return branch;
  throw new MultirunError("infra", `the branch ${branch.name} (${branch.id}) is not ours: ${why.join(", ")}`, {
    hint: "Rename or delete it in Neon's console if nobody needs it, then start again.",
  });
}

/** Deletes a branch of ours; what hangs on it goes first, whoever made that. */
export async function releaseBranch(neon: Neon, id: string, until: number): Promise<void> {
  const remove = () => untilDone(() => neon.delete(id, until));
  try {
    await remove();
  } catch (error) {
    if (!(error instanceof NeonRefusal)) throw error;
    const children = (await neon.branches(until)).filter(({ parentId }) => parentId === id);
    if (children.length === 0) throw refused(id, error);
    for (const child of children) await releaseBranch(neon, child.id, until);
    await remove();
  }
}

function isFull({ code, message }: NeonRefusal): boolean {
  return /BRANCHES_LIMIT/i.test(code) || /branches? limit/i.test(message);
}

function refused(name: string, { status, code, message }: NeonRefusal): MultirunError {
  const said = [message, code].filter((word) => word !== "").join(", ");
  return new MultirunError("infra", `Neon refuses the branch ${name} (${status}: ${said})`, {
    hint: "Look at the project in Neon's console, then resume.",
  });
}
