import { formatDuration } from "../model/duration.js";
import { groupBy } from "../model/groups.js";
import type { AgreedFact, Decision, Option, Report, ReportRun } from "../model/report.js";
import { compareText, mostCommon, visible } from "../model/text.js";
import { nothingChanged, plural } from "./headline.js";

/** The sentences all renderings share: plain text, names between back-ticks, nothing escaped yet. */

/** Said wherever anything is said to agree. */
export function caveatOf({ decisions, agreed, oddOneOut }: Report): string {
  return decisions.length + agreed.length + oddOneOut.length > 0 ? " Agreement is not correctness." : "";
}

const endings: Record<ReportRun["outcome"], string> = {
  completed: "completed",
  no_change: "changed nothing",
  timed_out: "timed out",
  stalled: "stalled",
  crashed: "crashed",
  over_budget: "over budget",
  refused: "refused",
  overloaded: "overloaded",
  cancelled: "cancelled",
  infra_failed: "could not be set up",
  unreadable: "unreadable",
};

/** "timed out": how a run ended, in words. */
export function endingOf({ outcome }: ReportRun): string {
  return endings[outcome];
}

/** "9 runs completed, 1 timed out (counted where it got to)". */
export function runsSentence({ runs }: Report): string {
  const groups = groupBy(
    runs.filter(({ reference }) => !reference),
    (run) => `${endingOf(run)}${run.partial ? " (counted where it got to)" : ""}${run.counted ? "" : " (not counted)"}`,
  );
  const parts = [...groups].map(([words, { length }]) => ({ words, length }));
  parts.sort((a, b) => b.length - a.length || compareText(a.words, b.words));
  return `${parts.map(({ words, length }, at) => (at === 0 ? `${plural(length, "run")} ${words}` : `${length} ${words}`)).join(", ")}.`;
}

/** "`pr`: b, with 3 of 10": what reference runs answered to the decisions of a line, each told once where it is the same. */
export function referencesOf(line: readonly Decision[]): string[] {
  const told = line.map((decision) => (decision.reference ?? []).map((each) => stance(each, decision)));
  const same = new Set(told.map((texts) => texts.join("\n"))).size === 1;
  return same ? (told[0] ?? []) : line.flatMap(({ id }, at) => told[at]?.map((text) => `${id} ${text}`) ?? []);
}

type Stance = NonNullable<Decision["reference"]>[number];

function stance({ name, option, label }: Stance, { options, counted }: Decision): string {
  const taken = options.find(({ id }) => id === option);
  return `${named(name)}: ${taken ? `${taken.id}, with ${taken.runs.length} of ${counted}` : `none of these (${label})`}`;
}

/** "`pr` is as most runs are in 4 of 7 decisions, and is not counted."; undefined where there is no reference. */
export function referenceSentence({ decisions, runs }: Report): string | undefined {
  const parts = runs
    .filter(({ reference }) => reference)
    .map(({ variant }) => {
      if (decisions.length === 0)
        return `${named(variant)} is not counted, and there is no decision to hold it against.`;
      const asMost = decisions.filter(({ options: [first] }) => first?.reference.includes(variant)).length;
      return `${named(variant)} is as most runs are in ${asMost} of ${plural(decisions.length, "decision")}, and is not counted.`;
    });
  return parts.length > 0 ? `Reference: ${parts.join(" ")}` : undefined;
}

/** True where each run is a variant of its own, which is then what people know it by. */
export function haveNames(runs: readonly ReportRun[]): boolean {
  return runs.length > 1 && new Set(runs.map(({ variant }) => variant)).size === runs.length;
}

export interface Failure {
  runs: string[];
  words: string;
  /** The reason most of them give; text nobody vouches for. */
  reason: string | null;
}

/** Runs that did not end by themselves, grouped by cause, most runs first. */
export function failuresOf({ runs }: Report): Failure[] {
  const failed = runs.filter(({ outcome }) => outcome !== "completed" && outcome !== "no_change");
  const groups = groupBy(failed, (run) => `${run.outcome} ${run.reason ?? ""}`);
  return [...groups.values()]
    .map((group) => ({
      runs: group.map(({ id }) => id),
      words: group[0] ? endingOf(group[0]) : "",
      reason: mostCommon(group.flatMap(({ reason }) => reason?.trim() || [])) ?? null,
    }))
    .sort((a, b) => b.runs.length - a.runs.length || compareText(a.runs[0] ?? "", b.runs[0] ?? ""));
}

/** "Could not be read: r01, r02 database (connect ECONNREFUSED)"; undefined where all could be. */
export function unreadableSentence({ runs }: Report): string | undefined {
  const lost = runs.flatMap(({ id, unreadable }) => unreadable.map((each) => ({ id, ...each })));
  const groups = groupBy(lost, ({ what, reason }) => JSON.stringify([what, reason]));
  const parts = [...groups.values()]
    .sort((a, b) => b.length - a.length || compareText(a[0]?.id ?? "", b[0]?.id ?? ""))
    .map((group) => `${runList(group.map(({ id }) => id))} ${named(group[0]?.what)} (${named(group[0]?.reason)})`);
  return parts.length > 0 ? `Could not be read: ${upTo(parts, 4, "; ")}` : undefined;
}

/** Text nobody vouches for, as a name. */
export function named(text = ""): string {
  const characters = [...visible(text).replaceAll("`", "'")];
  return `\`${characters.length > 100 ? `${characters.slice(0, 99).join("")}…` : characters.join("")}\``;
}

/** Decisions that divide the same runs share a line: the first leads it. */
export function linesOf(decisions: readonly Decision[]): Decision[][] {
  const lines: Decision[][] = [];
  for (const decision of decisions) {
    const line = lines.find(([first]) => first?.sameRunsAs.includes(decision.id));
    if (line) line.push(decision);
    else lines.push([decision]);
  }
  return lines;
}

/** "5/9 split", "8/10 strong (49–94 %)": the interval only where strong could mislead, at 20 runs or fewer. */
export function agreementOf(decision: Decision): string {
  const top = decision.options[0];
  if (top === undefined) return "";
  const interval = decision.class === "strong" && decision.counted <= 20 ? ` (${percentages(top)})` : "";
  return `${top.runs.length}/${decision.counted} ${decision.class}${interval}`;
}

function percentages({ interval: [low, high] }: Option): string {
  return `${Math.round(low * 100)}–${Math.round(high * 100)} %`;
}

/** Runs to which a question does not apply are named up to here; of more only the number says something. */
const namedRuns = 3;

/**
 * What the reader must know about the count: who was not asked, who is missing and what those could change. Runs that
 * changed nothing are told once for all, and not beside each decision.
 */
export function domainOf(decision: Decision, runs: readonly ReportRun[]): string | undefined {
  const { notApplicable, missing, counted, of, worstClass, bestClass } = decision;
  const idle = new Set<string>(runs.flatMap(({ id, outcome }) => (outcome === "no_change" ? id : [])));
  const left = notApplicable.filter((run) => !idle.has(run));
  const parts: string[] = [];
  if (left.length > namedRuns) parts.push(`does not apply to ${left.length} other runs`);
  else if (left.length > 0) parts.push(`does not apply to ${runList(left)}`);
  if (missing.length > 0) {
    const span =
      worstClass === bestClass ? `${worstClass} whatever they did` : `${worstClass} to ${bestClass} with them`;
    parts.push(`${runList(missing)} missing: ${span}`);
  }
  if (parts.length > 0) return parts.join("; ");
  return counted + notApplicable.length < of ? `of ${of}` : undefined;
}

/** "r01, r02 and 7 more". */
export function runList(runs: readonly string[], most = 4): string {
  return `${runs.slice(0, most).join(", ")}${runs.length > most ? ` and ${runs.length - most} more` : ""}`;
}

/** "r05 says `groups`, `projects.group_id` for `teams`, `projects.team_id`", one for each other way to name the same. */
export function namesOnly({ naming }: Report): string[] {
  return naming.flatMap(({ options: [usual, ...others], likeness }) =>
    others.map(({ label, runs }) => {
      const verb = runs.length === 1 ? "says" : "say";
      const weak = likeness === undefined ? "" : `, aligned by structure (${likeness.toFixed(2)})`;
      return `${runList(runs)} ${verb} ${shortList(label)} for ${shortList(usual?.label ?? "")}${weak}`;
    }),
  );
}

/** At most eight of the names a label lists; no name holds a back-tick of its own. */
function shortList(label: string): string {
  return upTo(label.match(/`[^`]*`/g) ?? [], 8, ", ");
}

export interface Agreement {
  /** "All 10 agree", "9 of 10 share". */
  who: string;
  statements: string[];
}

/** What the runs share, by how many share it. */
export function agreementsOf({ agreed }: Report): Agreement[] {
  const groups = groupBy(agreed, ({ counted, of }) => `${counted} ${of}`);
  return [...groups.values()]
    .sort((a, b) => (b[0]?.counted ?? 0) - (a[0]?.counted ?? 0))
    .map((group) => ({ who: who(group[0]), statements: group.map(statement) }));
}

function who(first: AgreedFact | undefined): string {
  if (first === undefined) return "";
  if (first.of === 1) return "The one run";
  if (first.of === 2 && first.counted === 2) return "Both agree";
  return first.counted === first.of ? `All ${first.of} agree` : `${first.counted} of ${first.of} share`;
}

function statement({ title, label, dimension }: AgreedFact): string {
  if (label === "") return title;
  const joint = dimension === "schema" && label.startsWith("with ") ? " " : dimension === "checks" ? " " : ": ";
  return `${title}${joint}${label}`;
}

/** Decisions whose answers are told with the run to start from; the others are answered later, if at all. */
const answersShown = 3;

/** The candidate, or why there is none, and the best run of each answer; undefined where no run could be one. */
export function candidateSentence(report: Report): string | undefined {
  const { candidate, decisions, runs } = report;
  if (nothingChanged(report) || runs.every(({ counted }) => !counted)) return undefined;
  const options = Object.entries(candidate.perOption)
    .filter(([id, runs]) => Object.keys(runs).length > 0 && decisions.some((each) => each.id === id && each.main))
    .map(
      ([id, runs]) =>
        `${id} ${Object.entries(runs)
          .map(([letter, run]) => `${letter} ${run}`)
          .join(", ")}`,
    );
  const per = options.length > 0 ? ` Best run per answer: ${upTo(options, answersShown, "; ")}.` : "";
  return candidate.run === null
    ? `No candidate: ${candidate.reason}.${per}`
    : `Candidate: ${candidate.run}, which ${candidate.reason}.${per}`;
}

/** "21 of 21 resources given back", and by name what was not. */
export function resourcesSentence({ resources }: Report): { text: string; leaked: string[]; kept: string[] } {
  const { acquired, released, leaked, kept } = resources;
  const text = acquired === 0 ? "No resource was needed" : `${released} of ${acquired} resources given back`;
  return { text, leaked, kept };
}

/** "10 runs", "scripted agents". */
export function circumstances({ experiment }: Report): string[] {
  return [plural(experiment.planned, "run"), ...(experiment.scripted ? ["scripted agents"] : [])];
}

/** "15s": from start to end; nothing where the runs were made elsewhere, and nobody knows how long they took. */
export function elapsedOf({ experiment }: Report): string[] {
  if (experiment.sandbox === "unknown") return [];
  return [formatDuration(Math.max(0, Date.parse(experiment.finishedAt) - Date.parse(experiment.startedAt)))];
}

/** "⚠ deleted with it, existing projects can be lost"; damage is told in full among the risks, and only marked here. */
export function labelOf(
  { label, risk }: Option,
  { risks }: Report,
): { mark: string; label: string; risk: string | null } {
  const told = risks.some(({ title }) => title === risk);
  return { mark: risk === null ? "" : "⚠ ", label, risk: told ? null : risk };
}

/** The facts of a decision that say more than its options do: not that the table is there which an option names. */
export function furtherFacts({ facts, options }: Decision): Decision["facts"] {
  const named = new Set(options.flatMap(({ label }) => label.match(/`[^`]*`/g) ?? []));
  return facts.slice(1).filter(({ aspect, topic }) => aspect !== "presence" || !named.has(topic));
}

/** One line for an option's details: what else these runs share because of it. */
export function detailsOf(decision: Decision): string[] {
  const decided = new Map(decision.options.flatMap(({ id, runs }) => runs.map((run) => [run as string, id])));
  return furtherFacts(decision).map(({ topic, answers }) => {
    const parts = answers.map(
      ({ label, runs }) => `${[...new Set(runs.map((run) => decided.get(run) ?? "?"))].sort().join("")} ${label}`,
    );
    return `${topic}: ${parts.join(" · ")}`;
  });
}

/** The first of a list, and how many more there are. */
export function upTo(items: readonly string[], most: number, joint: string): string {
  return `${items.slice(0, most).join(joint)}${items.length > most ? `${joint}${items.length - most} more` : ""}`;
}
