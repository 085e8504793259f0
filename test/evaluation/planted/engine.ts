import { align } from "../../../src/consensus/align/align.js";
import { findConsensus } from "../../../src/consensus/consensus.js";
import { readFacts } from "../../../src/facts/facts.js";
import { rename } from "../../../src/facts/rename.js";
import { readShapes } from "../../../src/facts/shapes.js";
import type { BaseArtifacts, RunArtifacts } from "../../../src/model/fact.js";
import type { Report } from "../../../src/model/report.js";

/** What the engine makes of a set of runs, taken apart so that the alignment can be left out. */
export interface Found {
  decisions: Report["decisions"];
  oddOneOut: Report["oddOneOut"];
  /** The runs under the names by which they were compared. */
  aligned: RunArtifacts[];
}

export function compare(runs: readonly RunArtifacts[], base: BaseArtifacts): Found {
  return conclude(alignedRuns(runs, base), base);
}

/** The runs with one name for one thing, as far as the engine sees it. */
export function alignedRuns(runs: readonly RunArtifacts[], base: BaseArtifacts): RunArtifacts[] {
  return rename(runs, base, align(readShapes(runs, base)).renaming);
}

/** The baseline: things are the same where their names are, and only there. */
export function compareByName(runs: readonly RunArtifacts[], base: BaseArtifacts): Found {
  return conclude([...runs], base);
}

function conclude(aligned: RunArtifacts[], base: BaseArtifacts): Found {
  const facts = readFacts(aligned, base);
  const counted = aligned.map(({ id, record }, at) => ({ id, record, facts: facts[at] ?? null }));
  const { decisions, oddOneOut } = findConsensus(counted);
  return { decisions, oddOneOut, aligned };
}
