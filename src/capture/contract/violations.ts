import type { Contract } from "../../model/config.js";
import type { BaseArtifacts, RunArtifacts } from "../../model/fact.js";
import { groupBy } from "../../model/groups.js";
import type { PatchStats, Violation } from "../../model/record.js";
import { shorten } from "../../model/text.js";
import { forbiddenIn } from "./forbidden.js";
import { sizeViolations } from "./limits.js";
import { missingArtifacts, pathViolations } from "./paths.js";

/** Kept of one rule: a build folder breaks one a hundred thousand times. */
const mostOfRule = 200;
const longestFound = 200;

/** Where a patch leaves its contract, as far as its list of files tells. */
export function patchViolations(contract: Contract, patch: Pick<PatchStats, "changed" | "bytes">): Violation[] {
  const { changed } = patch;
  return bounded([
    ...pathViolations(contract, changed),
    ...missingArtifacts(contract, changed),
    ...sizeViolations(contract, patch),
  ]);
}

/** What a run did that its contract forbids, by everything it left. */
export function contentViolations(
  { forbid = [] }: Contract,
  run: RunArtifacts,
  base: Pick<BaseArtifacts, "schema" | "checks">,
): Violation[] {
  return bounded(forbiddenIn(forbid, run, base));
}

function bounded(violations: readonly Violation[]): Violation[] {
  return [...groupBy(violations, ({ rule }) => rule)].flatMap(([rule, all]) => {
    const kept = all.slice(0, mostOfRule).map(({ found, ...each }) => ({
      ...each,
      ...(found === undefined ? {} : { found: shorten(found, longestFound) }),
    }));
    return all.length > kept.length ? [...kept, { rule, path: "", found: `${all.length - kept.length} more` }] : kept;
  });
}
