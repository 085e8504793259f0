import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { type Answers, determines } from "./slots.js";

/** A row that could be told. */
export interface Draft {
  key: string;
  answers: Answers;
  score: number;
  /** Keys of the symbols it is about. */
  symbols: ReadonlySet<string>;
  /** States it; `group` ties it to what divides the runs alike. */
  tell(group: string): void;
}

/** Rows of what the code does that a reviewer reads. */
const mostRows = 7;
/** Details of one row. */
const mostDetails = 3;
/** Two rows that differ in no more runs than this say the same to a reader. */
const nearly = 1;

/**
 * Picks the rows that are told, those that say most first. What divides the runs as a told row about the same symbol does,
 * or follows from it, is a detail of that row; what nearly does is left out. Few small rows are better than many: each
 * costs a reader a look.
 */
export function tellBest(drafts: readonly Draft[], runs: number): void {
  const told: { draft: Draft; details: number }[] = [];
  for (const draft of [...drafts].sort((a, b) => b.score - a.score || compareText(a.key, b.key))) {
    const kin = told.filter(({ draft: other }) => [...draft.symbols].some((symbol) => other.symbols.has(symbol)));
    const above = kin.find(({ draft: other }) => follows(other.answers, draft.answers));
    if (above) {
      if (above.details++ < mostDetails) draft.tell(above.draft.key);
      continue;
    }
    const isNear = kin.some(({ draft: other }) => distance(other.answers, draft.answers) <= nearly);
    if (isNear || told.length >= mostRows || draft.answers.size < Math.max(Math.min(3, runs), runs / 2)) continue;
    told.push({ draft, details: 0 });
    draft.tell(draft.key);
  }
}

function follows(wide: Answers, narrow: Answers): boolean {
  return [...narrow.keys()].every((run) => wide.has(run)) && determines(wide, narrow);
}

/** In how many runs two divisions differ at least; a run that is not asked is as good as one that says nothing. */
export function distance(a: Answers, b: Answers): number {
  const runs = [...new Set([...a.keys(), ...b.keys()])];
  const pair = (run: RunId) => `${a.get(run) ?? ""}\u0002${b.get(run) ?? ""}`;
  const cells = [...groupBy(runs, pair).values()].sort((x, y) => y.length - x.length);
  const taken = { a: new Set<string>(), b: new Set<string>() };
  let same = 0;
  for (const cell of cells) {
    const [run] = cell;
    const [one, other] = run === undefined ? ["", ""] : [a.get(run) ?? "", b.get(run) ?? ""];
    if (taken.a.has(one) || taken.b.has(other)) continue;
    taken.a.add(one);
    taken.b.add(other);
    same += cell.length;
  }
  return runs.length - same;
}
