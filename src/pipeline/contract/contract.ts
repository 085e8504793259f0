import { findExcess, findLacking, findViolations } from "../../capture/contract.js";
import type { Dropped } from "../../facts/dropped.js";
import { type Contract, mostViolations, type Violation } from "../../model/contract.js";
import type { PatchStats } from "../../model/record.js";
import { redact, type Secret } from "../../model/secret.js";
import { plainLine } from "../../model/text.js";
import type { Context } from "../context.js";
import { findForbidden } from "./forbidden.js";

export interface Judged {
  contract: Contract;
  /** Null where it could not be read: then nothing is known, and the run counts for nothing. */
  patch: PatchStats | null;
  /** Where the patch lies. */
  file: string;
  /** What the database shows to be gone; null where there is none. */
  dropped: readonly Dropped[] | "unread" | null;
  /** What must stand in no record: what was found is in the agent's words. */
  secrets: readonly Secret[];
}

/** What of a run's work breaks its contract, rule by rule, bounded in number and length. */
export async function judgeContract(
  context: Pick<Context, "deps" | "experiment">,
  judged: Judged,
): Promise<Violation[]> {
  const { contract, patch, secrets } = judged;
  if (patch === null) return bounded(await findForbidden(context, judged), secrets);
  const found = [
    ...findViolations(contract, patch.changed),
    ...(await findForbidden(context, judged)),
    ...findExcess(contract, patch),
    ...findLacking(contract, patch.changed),
  ];
  return bounded(found, secrets);
}

const longestFound = 300;

function cut(text: string): string {
  return text.length > longestFound ? `${text.slice(0, longestFound - 1)}…` : text;
}

/** A hundred of one rule say as much as a hundred thousand: the last one kept tells how many more there are. */
function bounded(violations: readonly Violation[], secrets: readonly Secret[]): Violation[] {
  const counts = new Map<string, number>();
  const kept = new Map<string, Violation>();
  const result: Violation[] = [];
  for (const { found, ...violation } of violations) {
    const count = (counts.get(violation.rule) ?? 0) + 1;
    counts.set(violation.rule, count);
    if (count > mostViolations) continue;
    const words = found === undefined ? {} : { found: cut(plainLine(redact(found, secrets))) };
    const each: Violation = { ...violation, ...words };
    kept.set(violation.rule, each);
    result.push(each);
  }
  for (const [rule, last] of kept) {
    const more = (counts.get(rule) ?? 0) - mostViolations;
    if (more > 0) last.more = more;
  }
  return result;
}
