import { align } from "../consensus/align/align.js";
import { namingOf } from "../consensus/align/naming.js";
import type { ConsensusRun } from "../consensus/ask/standing.js";
import { codeFacts } from "../consensus/code/code-facts.js";
import { codeNaming } from "../consensus/code/naming.js";
import { placeSlot } from "../consensus/code/place-row.js";
import { findConsensus } from "../consensus/consensus.js";
import { alignReferences } from "../consensus/references.js";
import { kindWords } from "../facts/code/kinds/kinds.js";
import { tellExcerpts } from "../facts/excerpts.js";
import { readFacts } from "../facts/facts.js";
import { withinLimits } from "../facts/limits.js";
import { tellPlaces } from "../facts/places.js";
import { rename } from "../facts/rename.js";
import { readShapes } from "../facts/shapes.js";
import type { CodeReading } from "../model/code.js";
import type { Experiment } from "../model/experiment.js";
import type { BaseArtifacts, RunArtifacts, RunFacts } from "../model/fact.js";
import type { RunId } from "../model/ids.js";
import type { Report } from "../model/report.js";
import type { Shape } from "../model/shape.js";
import { composeReport } from "../report/compose.js";

export interface Synthesis {
  experiment: Experiment;
  /** In any order; planned runs that are not among them count as missing, runs nobody planned are left out. */
  runs: readonly RunArtifacts[];
  base: BaseArtifacts;
  /** What was read in the runs' patches, in any order; undefined: nothing was. */
  code?: readonly CodeReading[];
  /** ISO 8601, UTC. */
  startedAt: string;
  finishedAt: string;
  /** What the harness noted of the whole; none where it is not there. */
  notes?: readonly string[];
  resources: Report["resources"];
}

/** Artifacts → one name per thing → facts → consensus → report. Pure: equal input gives equal bytes. */
export function buildReport({ experiment, runs, base, code = [], ...circumstances }: Synthesis): Report {
  const planned = experiment.runs.map(({ id }) => withinLimits(runs.find((run) => run.id === id) ?? nothingOf(id)));
  const done = new Set(runs.map(({ id }) => id));
  const references = new Map(experiment.runs.flatMap((run) => (run.reference ? [[run.id, run.variant] as const] : [])));
  const [shapes, others] = split(readShapes(planned, base), references);
  const alignment = align(shapes, experiment);
  const renaming = alignReferences(alignment.renaming, { counted: shapes, references: others, overrides: experiment });
  const renamed = rename(planned, base, renaming);
  const facts = withCode(readFacts(renamed, base, new Set(references.keys())), code, {
    renamed,
    references: new Set(references.keys()),
  });
  const counted = planned.map(({ id, record }): ConsensusRun => {
    const name = references.get(id);
    return { id, record, facts: facts.get(id) ?? null, ...(name === undefined ? {} : { reference: name }) };
  });
  const consensus = findConsensus(counted);
  const decisions = tellExcerpts(tellPlaces(consensus.decisions, renamed), renamed);
  const findings = {
    ...consensus,
    decisions,
    naming: [...namingOf(alignment, shapes), ...codeNaming(code, new Set(references.keys()))],
  };
  return composeReport({
    experiment,
    runs: planned.map((run) => ({ ...run, done: done.has(run.id) })),
    findings,
    ...circumstances,
  });
}

/** Adds what the runs chose in the code. A run of which a file could not be read has not left undone what it does not show. */
function withCode(
  read: readonly RunFacts[],
  code: readonly CodeReading[],
  { renamed, references }: { renamed: readonly RunArtifacts[]; references: ReadonlySet<RunId> },
): Map<RunId, RunFacts> {
  const ownWords = new Map(renamed.flatMap(({ id, ownWords: own }) => (own ? [[id, own] as const] : [])));
  const chosen = codeFacts(code, kindWords, references, ownWords);
  // Where a run that was cut off would have gone on to is not known.
  const cutOff = new Set(renamed.filter(({ record }) => record?.outcome !== "completed").map(({ id }) => id));
  const toldElsewhere = new Map(code.map((reading) => [reading.run, readSlots(reading)]));
  const unread = new Set(code.filter(hasUnread).map(({ run }) => run));
  return new Map(
    read.map((each) => {
      const told = toldElsewhere.get(each.run);
      const own = (chosen.get(each.run) ?? []).filter(({ slot }) => slot !== placeSlot || !cutOff.has(each.run));
      const kept = told ? each.facts.filter(({ slot }) => !told.has(slot)) : each.facts;
      const facts = own.length > 0 ? [...kept, ...own] : kept;
      const reach = unread.has(each.run) ? ("partial" as const) : each.dimensions.code;
      return [each.run, { ...each, facts, dimensions: { ...each.dimensions, code: reach } }];
    }),
  );
}

/** Files of which is known what was done in them: that they were touched is no fact of its own. */
function readSlots({ files, state }: CodeReading): Set<string> {
  const read = files.filter(
    ({ fileClass, unread, status }) =>
      unread === null &&
      (["source", "test", "scratch"].includes(fileClass) || (state === "changed" && status === "added")),
  );
  return new Set(read.flatMap(({ path, oldPath }) => [`file ${oldPath ?? path}`, `new file ${path}`]));
}

function hasUnread({ files }: CodeReading): boolean {
  return files.some(({ unread, fileClass }) => unread !== null && fileClass === "source");
}

/** Those that are counted, and the references. */
function split(shapes: readonly Shape[], references: ReadonlyMap<RunId, string>): [Shape[], Shape[]] {
  return [shapes.filter(({ run }) => !references.has(run)), shapes.filter(({ run }) => references.has(run))];
}

function nothingOf(id: RunArtifacts["id"]): RunArtifacts {
  return { id, record: null, schema: null, rows: null, checks: null, patch: null, unreadable: [] };
}
