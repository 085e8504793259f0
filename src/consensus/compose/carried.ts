import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { stemsOf } from "../../model/names.js";
import { compareText } from "../../model/text.js";
import type { Question } from "../ask/questions.js";
import { composed, withNames } from "./composed.js";

/**
 * What is held beside one of several ways is asked once: `role` in the join table, `team_role` in the column's table. Such
 * columns have the same name but for words of the tables involved, and no run has two of them.
 */
export function payloads(questions: readonly Question[]): Question[] {
  return questions.filter(({ aspect }) => aspect === "model").reduce<Question[]>(payloadOf, [...questions]);
}

function payloadOf(questions: Question[], cover: Question): Question[] {
  const tables = new Set(cover.parts.flatMap(({ carrier }) => carrier?.table ?? []));
  const touched = [...tables, ...cover.links];
  const named = questions.flatMap(({ carrier }) =>
    carrier && touched.includes(carrier.table) ? carrier.tableName : [],
  );
  const known = new Set(
    [...named, ...cover.parts.flatMap(({ carrier }) => carrier?.tableName ?? [])].flatMap((name) => [...stemsOf(name)]),
  );
  const columns = questions.filter(
    ({ aspect, carrier }) =>
      aspect === "presence" && carrier?.form === "plain" && !carrier.generic && tables.has(carrier.table),
  );
  const restOf = ({ carrier }: Question) =>
    [...stemsOf(carrier?.name ?? "")]
      .filter((stem) => !known.has(stem))
      .sort()
      .join();
  const groups = [...groupBy(columns, restOf)].filter(([rest, group]) => rest !== "" && isOne(group, cover));
  const beside = groups.flatMap(([, group]) => [presence(group, cover), ...aspects(group, questions)]);
  const made = [...beside, ...movedColumns(cover, columns).flatMap((group) => aspects(group, questions))];
  const taken = new Set(made.flatMap(({ parts }) => parts));
  return [...questions.filter((question) => !taken.has(question)), ...made];
}

/** A column that is itself one of the ways, with that of its name in the table which is another. */
function movedColumns(cover: Question, columns: readonly Question[]): Question[][] {
  const own = cover.parts.filter(({ carrier }) => carrier?.form === "plain");
  return own
    .map((column) => [column, ...columns.filter(({ carrier }) => carrier?.name === column.carrier?.name)])
    .filter((group) => isOne(group, cover));
}

/** Each in a table of its own, and only in runs that chose the way which that table is or carries. */
function isOne(group: readonly Question[], cover: Question): boolean {
  const tables = new Set(group.map(({ carrier }) => carrier?.table));
  if (group.length < 2 || tables.size < group.length) return false;
  return group.every(({ answers, carrier }) =>
    [...answers].every(
      ([run, { value }]) => value !== "present" || wayOf(cover, run)?.carrier?.table === carrier?.table,
    ),
  );
}

function wayOf({ parts }: Question, run: RunId): Question | undefined {
  return parts.find(({ answers }) => answers.get(run)?.value === "present");
}

function presence(group: readonly Question[], cover: Question): Question {
  const parts = byAnswers(group);
  const name = parts[0]?.carrier?.said.name ?? "";
  const tables = parts.map(({ carrier }) => carrier?.said.table ?? "").sort(compareText);
  return composed({
    slot: `held beside ${JSON.stringify(parts.map(({ slot }) => slot).sort(compareText))}`,
    aspect: "held",
    title: withNames(`Is there a ${name} in …?`, tables, "tables"),
    topic: withNames(`${name} in …`, tables, "tables"),
    subject: name,
    links: [cover.slot],
    parts,
    answer(run) {
      const way = wayOf(cover, run);
      if (way === undefined || parts.some(({ missing }) => missing.includes(run))) return undefined;
      const held = parts.some(({ answers }) => answers.get(run)?.value === "present");
      return held ? { value: "present", label: "yes", lack: false } : { value: "absent", label: "no", lack: true };
    },
  });
}

/** What is asked about the columns themselves: their type, whether they must be filled, what they start out as. */
function aspects(group: readonly Question[], questions: readonly Question[]): Question[] {
  const slots = new Set(group.map(({ slot }) => slot));
  const below = questions.filter(({ slot, aspect }) => slots.has(slot) && aspect !== "presence");
  return [...groupBy(below, ({ aspect }) => aspect).values()].filter(({ length }) => length > 1).flatMap(joined);
}

function joined(alike: readonly Question[]): Question[] {
  const parts = byAnswers(alike);
  const [head] = parts;
  if (head === undefined) return [];
  const { slot, aspect, title, topic, subject, links } = head;
  const answer = (run: RunId) => parts.flatMap(({ answers }) => answers.get(run) ?? [])[0];
  return [composed({ slot, aspect, title, topic, subject, links, parts, answer })];
}

function byAnswers(questions: readonly Question[]): Question[] {
  return [...questions].sort((a, b) => b.answers.size - a.answers.size || compareText(a.key, b.key));
}
