import type { Report } from "../model/report.js";

export type Verdict = Pick<Report, "runs" | "decisions" | "agreed" | "oddOneOut" | "risks"> &
  Pick<Report["summary"], "expectedDifferences" | "distinctDesigns">;

/** The verdict in one or two sentences, plain text. */
export function headlineOf(verdict: Verdict): string {
  return `${verdictOf(verdict)}${unread(verdict)}`;
}

/** Agreement among what could be read says nothing of the rest. */
function unread({ runs }: Verdict): string {
  const partly = runs.filter(isUnread).length;
  return partly > 0 ? ` What ${plural(partly, "run")} left could not all be read.` : "";
}

/** True for a run with a record that could not be read in all that is compared. */
export function isUnread({ flags }: Pick<Report["runs"][number], "flags">): boolean {
  return flags.includes("unreadable");
}

function verdictOf(verdict: Verdict): string {
  const counted = verdict.runs.filter((run) => run.counted).length;
  const { decisions, oddOneOut, risks } = verdict;
  if (counted === 0) return `None of the ${plural(verdict.runs.length, "run")} could be counted.`;
  if (nothingChanged(verdict)) return nothing(counted);
  if (counted === 1) return "One run was counted: there is nothing to compare it with.";
  const few = counted < 3 ? ` ${counted} runs are too few to tell agreement from chance.` : "";
  const asked = decisions.filter(({ ask }) => ask);
  if (asked.length > 0) {
    const verb = asked.length === 1 ? "decision needs" : "decisions need";
    const shown = asked.filter(({ main }) => main).length;
    const first = shown < asked.length ? `; the table holds the first ${shown}` : "";
    return `${asked.length} ${verb} an answer${first}. ${spread(verdict)}${few}`;
  }
  if (decisions.length > 0 && counted < 3) return `${spread(verdict)}${few}`;
  if (decisions.length > 0) return `No decision needs an answer: what differs is small. ${spread(verdict)}${few}`;
  if (oddOneOut.length > 0) {
    const runs = plural(oddOneOut.length, "run");
    return `No decision is open: the runs agree, but for what ${runs} alone did.${few}`;
  }
  const risky = risks.length > 0 ? " All of them carry a risk." : "";
  const all = counted === 2 ? "Both" : `All ${counted}`;
  return `${all} counted runs agree on everything that was compared.${risky}${few}`;
}

/** True where no counted run left anything behind. */
export function nothingChanged({
  runs,
  decisions,
  agreed,
  oddOneOut,
}: Pick<Report, "runs" | "decisions" | "agreed" | "oddOneOut">): boolean {
  const counted = runs.filter((run) => run.counted);
  const known = !counted.some(isUnread);
  const idle = counted.every(({ patch, outcome }) => outcome === "no_change" || patch === null || patch.files === 0);
  return counted.length > 0 && known && idle && decisions.length + agreed.length + oddOneOut.length === 0;
}

function nothing(counted: number): string {
  return counted === 1
    ? "The one counted run changed nothing."
    : `None of the ${counted} counted runs changed anything: there is nothing to compare.`;
}

function spread({ decisions, expectedDifferences, distinctDesigns }: Verdict): string {
  const of = plural(decisions.length, "decision");
  // Designs are those of runs that ended by themselves: fewer than two say nothing about a difference.
  const designs = distinctDesigns > 1 ? `; ${plural(distinctDesigns, "distinct design")}` : "";
  return `Two random runs differ on ${expectedDifferences.toFixed(1)} of ${of}${designs}.`;
}

/** "1 run", "3 runs". */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
