import type { ExperimentId, Holder } from "../../../model/ids.js";
import { experimentId, holderName, runId } from "../../../model/ids.js";
import type { NeonBranch } from "./api.js";

const prefix = "multirun/";

/** `multirun/<experiment>/base`, `multirun/<experiment>/r01-1`: whole, never a beginning to search for. */
export function branchName(holder: Holder): string {
  const shared = holder.run === "base" || holder.run === "reference";
  // The reference reads base itself: nobody writes to it once it is sealed.
  return `${prefix}${holder.experiment}/${shared ? "base" : holderName(holder)}`;
}

/** What is written beside a branch of ours, so that it is known wherever it is found. */
export interface BranchMark {
  experiment: ExperimentId;
  run: string;
  repo: string;
  /** ISO 8601: nobody uses it after this. */
  expires: string;
}

export function annotationOf({ experiment, run, repo, expires }: BranchMark): Record<string, string> {
  return {
    multirun: "1",
    "multirun-experiment": experiment,
    "multirun-run": run,
    "multirun-repo": repo,
    "multirun-expires": expires,
  };
}

/** The holder of a branch of ours: its annotation and its name must both say so, and the same. */
export function holderOfBranch({ name, annotation }: Pick<NeonBranch, "name" | "annotation">): Holder | undefined {
  const [, id, own] = /^multirun\/([^/]+)\/(base|(?:r\d{2,3}|baseline)-[1-9]\d*)$/.exec(name) ?? [];
  const experiment = experimentId.safeParse(id);
  if (!experiment.success || own === undefined || annotation["multirun"] !== "1") return undefined;
  const [run = "", attempt = "1"] = own.split("-");
  if (annotation["multirun-experiment"] !== experiment.data || annotation["multirun-run"] !== run) return undefined;
  const who = run === "base" || run === "baseline" ? run : runId.parse(run);
  return { experiment: experiment.data, run: who, attempt: Number(attempt) };
}

/** Until when somebody may still use a branch of ours; undefined where nothing says it. */
export function expiryOf({ annotation }: Pick<NeonBranch, "annotation">): string | undefined {
  const text = annotation["multirun-expires"] ?? "";
  return Number.isNaN(Date.parse(text)) ? undefined : text;
}
