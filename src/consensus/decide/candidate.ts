import type { RunId } from "../../model/ids.js";
import type { Decision, Report } from "../../model/report.js";
import { compareText } from "../../model/text.js";
import { groupsOf } from "../ask/partition.js";
import type { Question } from "../ask/questions.js";
import type { ConsensusRun } from "../ask/standing.js";
import { round } from "./statistics.js";

/** Below this agreement with the others, no run speaks for them. */
const leastScore = 0.5;

interface Field {
  runs: readonly ConsensusRun[];
  questions: readonly Question[];
  decisions: readonly Decision[];
  damaging: ReadonlySet<RunId>;
}

/**
 * The run to start from, if one speaks for the others: among those that pass the gates, the one that agrees most with all
 * others and takes no risk in a decision that is not settled. None where a decision about schema or data needs an answer:
 * then the best run of each option. Never a mix of two runs.
 */
export function candidateOf(field: Field): Report["candidate"] {
  const scores = scoresOf(field.questions);
  const able = field.runs.filter((run) => passesGates(run, field)).sort((a, b) => compareRuns(a, b, scores));
  const asked = field.decisions.filter(({ ask }) => ask);
  const perOption = Object.fromEntries(asked.map((each) => [each.id, bestPerOption(each, able)]));
  const none = (reason: string) => ({ run: null, reason, perOption });
  const open = asked.filter(({ dimension }) => dimension === "schema" || dimension === "data");
  if (able.length === 0)
    return none(
      "no run passes the gates: completed, all of it read, patch applies, contract kept, nothing broken or lost",
    );
  if (open.length > 0) return none(`${listOf(open)} ${open.length === 1 ? "is" : "are"} open`);
  const risky = riskyRuns(field.decisions);
  const best = able.find(({ id }) => !risky.has(id));
  if (best === undefined) return none("each run that passes the gates takes a risk in a decision that is not settled");
  const score = scores.get(best.id) ?? 0;
  if (scores.size === 0) return none("there is no other run to compare with");
  if (score < leastScore) return none("no run agrees with the others on half of what was decided");
  const agrees = `passes the gates and agrees most with the others (${Math.round(score * 100)} %)`;
  return { run: best.id, reason: `${agrees}${failingChecks(best)}`, perOption };
}

/** Runs whose choice carries a risk where too few others made it to call it settled. */
function riskyRuns(decisions: readonly Decision[]): Set<RunId> {
  const unsettled = decisions.filter((each) => each.class !== "consensus" && each.class !== "strong");
  const options = unsettled.flatMap((each) => each.options);
  return new Set(options.flatMap(({ risk, runs }) => (risk === null ? [] : runs)));
}

/** A check that no run passes, or that says now this and now that, closes no gate, but must not be kept quiet. */
function failingChecks({ record }: ConsensusRun): string {
  const { passed, total, unstable = 0 } = record?.checks ?? { passed: 0, total: 0 };
  const failing = total - passed - unstable;
  const said = [
    ...(failing > 0 ? [`${failing} of ${total} checks fail in it as in all others`] : []),
    ...(unstable > 0 ? [`${unstable} of ${total} checks fail and pass in it by turns`] : []),
  ];
  return said.length > 0 ? `, but ${said.join(" and ")}` : "";
}

function listOf(decisions: readonly Decision[]): string {
  const ids = decisions.map(({ id }) => id);
  if (ids.length > 4) return `${ids.slice(0, 3).join(", ")} and ${ids.length - 3} more`;
  return ids.length < 2 ? ids.join() : `${ids.slice(0, -1).join(", ")} and ${ids.at(-1)}`;
}

/**
 * Could be read, its tests too, completed by itself, applies, kept its contract, did no damage, fails no check that another run passes,
 * and passes none by turns while another run passes all.
 */
function passesGates({ id, record, facts }: ConsensusRun, { damaging, questions, runs }: Field): boolean {
  if (record?.outcome !== "completed" || record.partial || !facts?.readable) return false;
  if (record.patch?.applies !== true || record.violations.length > 0 || damaging.has(id)) return false;
  if (record.checks?.unstable && runs.some((run) => run.record?.checks?.passed === record.checks?.total)) return false;
  return questions
    .filter(({ dimension }) => dimension === "checks")
    .every((question) => {
      // Others' tests are known and its own are not: it would be spared what they are measured by.
      if (question.aspect === "tests" && facts.unknown.includes(question.slot)) return false;
      const own = question.answers.get(id)?.value;
      return own === undefined || own === "pass" || groupsOf(question).every(({ value }) => value !== "pass");
    });
}

/** Leave-one-out agreement: the weighted share of the other runs that chose as this one did, from 0 to 1. */
export function scoresOf(questions: readonly Question[]): Map<RunId, number> {
  const sums = new Map<RunId, { same: number; all: number }>();
  for (const question of questions) {
    const counted = question.answers.size;
    if (counted < 2) continue;
    for (const { runs } of groupsOf(question)) {
      for (const run of runs) {
        const sum = sums.get(run) ?? { same: 0, all: 0 };
        sum.same += (question.weight * (runs.length - 1)) / (counted - 1);
        sum.all += question.weight;
        sums.set(run, sum);
      }
    }
  }
  return new Map([...sums].map(([run, { same, all }]) => [run, round(same / all)]));
}

/** Best agreement first; then names as most runs use them, the smaller change, the cheaper run, and what the run left, so that ids decide nothing. */
function compareRuns(a: ConsensusRun, b: ConsensusRun, scores: ReadonlyMap<RunId, number>): number {
  const size = ({ record }: ConsensusRun) => (record?.patch?.added ?? 0) + (record?.patch?.deleted ?? 0);
  const cost = ({ record }: ConsensusRun) => record?.usage.costUsd ?? Number.MAX_VALUE;
  return (
    (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0) ||
    Number(a.facts?.renamed ?? false) - Number(b.facts?.renamed ?? false) ||
    size(a) - size(b) ||
    cost(a) - cost(b) ||
    compareText(a.facts?.content() ?? "", b.facts?.content() ?? "") ||
    compareText(a.id, b.id)
  );
}

function bestPerOption(decision: Decision, able: readonly ConsensusRun[]): Record<string, RunId> {
  const best = decision.options.flatMap(({ id, runs }) => {
    const run = able.find((each) => runs.includes(each.id));
    return run ? [[id, run.id] as const] : [];
  });
  return Object.fromEntries(best);
}
