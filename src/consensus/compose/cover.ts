import { connected, groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { stemsOf } from "../../model/names.js";
import { compareText } from "../../model/text.js";
import type { Question } from "../ask/questions.js";
import { composed } from "./composed.js";
import { coverTitle, wayLabel } from "./cover-words.js";
import { isApart, isNamedAfter, type Way, waysOf } from "./ways.js";

/**
 * Exclusive cover: presence questions that touch one new table, of which no run answers two with yes, and which together
 * cover four fifths of the runs, are one decision: "How is membership modelled?" with a table, a column, or none of these.
 * Half of the runs are enough where a plain column is named after the table. Each way is only ever in one decision.
 */
export function covers(questions: readonly Question[]): Question[] {
  const ways = waysOf(questions);
  const fresh = new Set(questions.flatMap(({ slot, carrier }) => (carrier?.form === "table" ? slot : [])));
  const near = neighbourhoods(ways, fresh);
  const taken = new Set<Way>();
  const made: Question[] = [];
  for (const way of ways) {
    if (taken.has(way)) continue;
    const set = growSet(way, near.get(way) ?? [], { fresh, taken });
    if (!isCover(set)) continue;
    const beside = companions(set, ways, taken);
    for (const each of [...set, ...beside]) taken.add(each);
    made.push(coverOf(set, beside));
  }
  const parts = new Set(made.flatMap((each) => each.parts));
  return [...questions.filter((question) => !parts.has(question)), ...made];
}

/** Ways that could be tied at all, each with its like, so that only those are held against each other. */
function neighbourhoods(ways: readonly Way[], fresh: ReadonlySet<string>): Map<Way, Way[]> {
  const ends = groupBy(
    ways.flatMap((way) => [...way.ends].filter((end) => fresh.has(end)).map((end) => ({ way, end }))),
    ({ end }) => end,
  );
  const byEnd = [...ends.values()].flatMap((each) => each.map(({ way }): [Way, Way] => [each[0]?.way ?? way, way]));
  const byName = ways.flatMap((way) => [...way.standsFor].map((table): [Way, Way] => [way, table]));
  const places = new Map(ways.map((way, at) => [way, at]));
  const found = connected([...byEnd, ...byName]).flatMap((group) => {
    const sorted = [...group]
      .filter((way) => places.has(way))
      .sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
    return sorted.map((way): [Way, Way[]] => [way, sorted]);
  });
  return new Map(found);
}

interface Known {
  fresh: ReadonlySet<string>;
  taken: ReadonlySet<Way>;
}

/** All ways that hold the same as the first and go with every one taken before, those of most runs first. */
function growSet(first: Way, ways: readonly Way[], { fresh, taken }: Known): Way[] {
  const set = [first];
  const covered = new Set(first.runs);
  for (const way of ways) {
    if (way === first || taken.has(way) || !isApart(way.runs, covered)) continue;
    if (!set.every((each) => mayStand(each, way)) || !isTied(set, way, fresh)) continue;
    set.push(way);
    for (const run of way.runs) covered.add(run);
  }
  return set;
}

/** Columns of one table are two things, but for a list and a single value of one name: `team_ids` and `team_id`. */
function mayStand(a: Way, b: Way): boolean {
  if (a.carrier.form === "table" || b.carrier.form === "table" || a.carrier.table !== b.carrier.table) return true;
  const lists = [a, b].filter(({ carrier }) => carrier.form === "list").length;
  const other = stemsOf(b.carrier.name);
  return lists === 1 && [...stemsOf(a.carrier.name)].some((stem) => other.has(stem));
}

function isTied(set: readonly Way[], way: Way, fresh: ReadonlySet<string>): boolean {
  if (set.some((each) => each.standsFor.has(way) || way.standsFor.has(each))) return true;
  if (way.carrier.form === "plain" || set.some(({ carrier }) => carrier.form === "plain")) return false;
  return [...way.ends].some((end) => fresh.has(end) && set.some(({ ends }) => ends.has(end)));
}

function isCover(set: readonly Way[]): boolean {
  if (set.length < 2) return false;
  const known = new Set(set.flatMap(({ question }) => [...question.answers.keys()]));
  const covered = set.reduce((sum, { runs }) => sum + runs.size, 0);
  const named = set.some((way) => [...way.standsFor].some((table) => set.includes(table) && isNamedAfter(way, table)));
  return 5 * covered >= 4 * known.size || (named && 2 * covered >= known.size);
}

/** Tables that only tables of the set lead to: whether a way goes with one or without is part of the choice. */
function companions(set: readonly Way[], ways: readonly Way[], taken: ReadonlySet<Way>): Way[] {
  const tables = set.filter(({ carrier }) => carrier.form === "table");
  const leadsTo = (way: Way, table: Way) => way.carrier.targets.includes(table.question.slot);
  return ways.filter((way) => {
    if (way.carrier.form !== "table" || set.includes(way) || taken.has(way)) return false;
    const leading = ways.filter((other) => other.carrier.form === "table" && leadsTo(other, way));
    return leading.length > 0 && leading.every((each) => tables.includes(each));
  });
}

/** Where some runs hold a thing in two tables, the one table of another is the one as much as the other, whatever its name. */
function loneTables(all: readonly Way[]): Way[] {
  const isAlone = (way: Way, run: RunId) => all.every((other) => other === way || !other.runs.has(run));
  return all.filter((way) => way.carrier.form === "table" && [...way.runs].some((run) => isAlone(way, run)));
}

function told(taken: readonly Way[], lone: readonly Way[]): { value: string; label: string } {
  const [first] = taken;
  // What it leads to is named in many ways; tables of which the first is another are another choice.
  if (taken.length > 1) return { value: `${first?.question.slot} and more`, label: taken.map(wayLabel).join(" and ") };
  if (first && lone.length > 1 && lone.includes(first)) {
    const names = lone.map(({ question }) => question.subject).sort(compareText);
    return { value: "table", label: `one table alone, ${names.join(" or ")}` };
  }
  return { value: first?.question.slot ?? "", label: first ? wayLabel(first) : "" };
}

function coverOf(set: readonly Way[], beside: readonly Way[]): Question {
  const all = [...set, ...beside];
  const parts = all.map(({ question }) => question);
  const { title, topic } = coverTitle(set);
  const lone = beside.length > 0 ? loneTables(all) : [];
  return composed({
    slot: `cover ${JSON.stringify(parts.map(({ slot }) => slot).sort(compareText))}`,
    aspect: "model",
    title,
    topic,
    subject: parts[0]?.subject ?? "",
    weight: 3,
    links: [...new Set(all.flatMap(({ ends }) => [...ends]))].sort(compareText),
    parts,
    answer(run) {
      const taken = all.filter(({ runs }) => runs.has(run));
      if (taken.length > 0) return { ...told(taken, lone), lack: false };
      if (parts.some(({ missing }) => missing.includes(run)) || !parts.some(({ answers }) => answers.has(run)))
        return undefined;
      return { value: "none", label: "none of these", lack: true };
    },
  });
}
