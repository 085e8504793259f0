import { groupBy } from "../model/groups.js";
import type { RunId } from "../model/ids.js";
import type { AgreedFact, Decision, Report } from "../model/report.js";
import { compareText } from "../model/text.js";
import { askAll, type Participant } from "./ask/questions.js";
import { type ConsensusRun, type Standing, standingOf } from "./ask/standing.js";
import { compose } from "./compose/compose.js";
import { Ancestry } from "./compose/merge.js";
import { tellRoots } from "./compose/roots.js";
import { agreements } from "./decide/agreed.js";
import { candidateOf } from "./decide/candidate.js";
import { contractRisks } from "./decide/contract-risks.js";
import { decide } from "./decide/decisions.js";
import { oddOnesOut } from "./decide/odd-one-out.js";
import { place } from "./decide/place.js";
import { damagingRuns, risksOf } from "./decide/risks.js";
import { disagreement, round } from "./decide/statistics.js";
import { type Reference, tellReferences } from "./references.js";

/** What N runs say together. Pure: the same runs in any order give the same bytes. */
export interface Consensus {
  standings: Map<RunId, Standing>;
  relatives: Map<RunId, RunId[]>;
  decisions: Decision[];
  agreed: AgreedFact[];
  oddOneOut: Report["oddOneOut"];
  risks: Report["risks"];
  candidate: Report["candidate"];
  /** On how many decisions two runs drawn at random differ. */
  expectedDifferences: number;
  distinctDesigns: number;
}

/** From the facts of N runs to the decisions a reviewer must look at. */
export function findConsensus(unordered: readonly ConsensusRun[]): Consensus {
  const all = [...unordered].sort((a, b) => compareText(a.id, b.id));
  const standings = new Map(all.map((run) => [run.id, standingOf(run)]));
  const runs = all.filter(({ reference }) => reference === undefined);
  const participants = runs.flatMap((run) => participant(run, standings.get(run.id)));
  const of = participants.length;
  const counted = participants.filter(({ standing }) => standing !== "missing").length;

  const questions = askAll(participants);
  const ancestry = new Ancestry(questions);
  const composed = tellRoots(
    compose(
      questions.filter(({ riskOnly }) => !riskOnly),
      ancestry,
    ),
  );
  const { choices, odd, agreed } = place(composed, { of, counted }, ancestry);
  const references = all.flatMap((run) => reference(run, standings.get(run.id)));
  const asked = [...questions, ...composed];
  const decisions = tellReferences(decide(choices, of), references, { participants, questions: asked });
  const risks = risksOf(questions);
  const oddOneOut = oddOnesOut(odd, questions);

  return {
    standings,
    relatives: relativesOf(runs),
    decisions,
    agreed: agreements({ agreed, odd, of, ancestry }),
    oddOneOut,
    risks: [...risks, ...contractRisks(runs)],
    candidate: candidateOf({ runs, questions, decisions, damaging: damagingRuns(risks) }),
    expectedDifferences: expectedDifferences(decisions),
    distinctDesigns: distinctDesigns({ decisions, oddOneOut }, participants),
  };
}

function participant({ id, facts }: ConsensusRun, standing: Standing | undefined): Participant[] {
  if (standing === undefined || standing === "excluded") return [];
  return [{ id, standing, facts: standing === "missing" ? null : facts }];
}

function reference({ id, facts, reference: name }: ConsensusRun, standing: Standing = "missing"): Reference[] {
  if (name === undefined) return [];
  const known = standing === "missing" || standing === "excluded" ? null : facts;
  return [{ name, participant: { id, standing: standing === "excluded" ? "missing" : standing, facts: known } }];
}

/**
 * Σ D·n/N over all decisions, also those cut from the main table: how far apart two runs are does not depend on a layout.
 * Decisions that the same runs took alike without being tied by structure count once each; only merging makes them one.
 */
export function expectedDifferences(decisions: readonly Decision[]): number {
  const differ = ({ options, counted, of }: Decision) =>
    (disagreement(options.map(({ runs }) => runs.length)) * counted) / of;
  return round(decisions.reduce((sum, each) => sum + differ(each), 0));
}

/** How many different sets of choices there are, what a run alone did among them, of the runs that ended by themselves. */
function distinctDesigns(
  { decisions, oddOneOut }: Pick<Consensus, "decisions" | "oddOneOut">,
  participants: readonly Participant[],
): number {
  const voters = participants.filter(({ standing }) => standing === "votes");
  const chosen = decisions.map(
    ({ options }) => new Map(options.flatMap(({ id, runs }) => runs.map((run) => [run, id] as const))),
  );
  const own = new Map(oddOneOut.map(({ run, statements }) => [run, statements]));
  const design = (run: RunId) => JSON.stringify([chosen.map((each) => each.get(run) ?? null), own.get(run) ?? []]);
  return new Set(voters.map(({ id }) => design(id))).size;
}

/** Runs that left the very same content; those that left nothing are no relatives. */
function relativesOf(runs: readonly ConsensusRun[]): Map<RunId, RunId[]> {
  const relatives = new Map(runs.map(({ id }): [RunId, RunId[]] => [id, []]));
  const changed = runs.filter(({ record }) => (record?.patch?.files ?? 0) > 0);
  // Equal content is an equal patch first of all, and that is known at once.
  for (const alike of groupBy(changed, ({ record }) => record?.patch?.sha256).values()) {
    if (alike.length === 1) continue;
    for (const [content, same] of groupBy(alike, ({ facts }) => facts?.content() ?? null)) {
      if (content === null) continue;
      const ids = same.map(({ id }) => id);
      for (const own of ids)
        relatives.set(
          own,
          ids.filter((id) => id !== own),
        );
    }
  }
  return relatives;
}
