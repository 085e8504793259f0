import type { Indexing } from "../../model/fact.js";
import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { isPresent, runsWith } from "../ask/partition.js";
import type { Answer, Question } from "../ask/questions.js";
import { composed } from "./composed.js";

interface Index {
  question: Question;
  /** Whether its table is there; undefined for a table of base. */
  table: Question | undefined;
  use: Indexing;
  runs: Set<RunId>;
}

/**
 * Indexes of one table are one question about what they are for: which columns are looked up beside the keys, and what a
 * search finds. A table where only one index is in question keeps the question about that one.
 */
export function indexes(questions: readonly Question[]): Question[] {
  const tables = new Map(
    questions.flatMap((each) => (each.carrier?.form === "table" ? [[each.slot, each] as const] : [])),
  );
  const all = questions.flatMap((question): Index[] => {
    const { indexing: use } = question;
    if (use === undefined) return [];
    return [{ question, use, table: tables.get(use.table), runs: runsWith(question, isPresent) }];
  });
  const references = new Set(questions.flatMap(({ slot, carrier }) => (carrier?.form === "reference" ? slot : [])));
  const made = [...groupBy(all, ({ use }) => use.table).values()].flatMap((each) => [
    ...lookedUp(
      each.filter(({ use }) => use.finds === null),
      references,
    ),
    ...searched(each.filter(({ use }) => use.finds !== null)),
  ]);
  const taken = new Set(made.flatMap(({ parts }) => parts));
  return [...questions.filter((question) => !taken.has(question)), ...made];
}

type Told = Pick<Answer, "value" | "label" | "lack">;

/** One question about indexes of one table: `answer` says what those a run has are. */
function aboutAll(
  all: readonly Index[],
  words: { aspect: string; title: string; topic: string; subject: string },
  answer: (own: Index[], run: RunId) => Told | undefined,
): Question {
  const parts = all.map(({ question }) => question).sort((a, b) => compareText(a.key, b.key));
  const table = all[0]?.table;
  return composed({
    slot: `indexes ${all[0]?.use.table}`,
    ...words,
    links: [...new Set(parts.flatMap(({ links }) => links))].sort(compareText),
    parts,
    answer(run) {
      const isKnown = parts.every(({ missing }) => !missing.includes(run));
      // A run with the table and without any of the columns has no index on them either.
      const asked = table ? table.answers.get(run)?.value === "present" : parts.some(({ answers }) => answers.has(run));
      if (!isKnown || !asked) return undefined;
      const own = all.filter(({ runs }) => runs.has(run));
      return answer(own, run);
    },
  });
}

/** By the columns that lead them; where all lead with the same, by what else they hold. */
function lookedUp(all: readonly Index[], references: ReadonlySet<string>): Question[] {
  const [first] = all;
  if (first === undefined || all.length < 2) return [];
  const { said: subject, lead } = first.use;
  if (all.every(({ use }) => use.lead === lead)) {
    const topic = `index on ${lead} of ${subject}`;
    const words = {
      aspect: topic,
      title: cut(`How is ${lead} of ${subject} indexed?`, `How is ${lead} indexed?`),
      topic,
      subject,
    };
    return [aboutAll(all, words, (own) => listed(namesOf(own, ({ question }) => question.subject)))];
  }
  const title = `What is indexed in ${subject} beside keys?`;
  const words = { aspect: "look-ups", title, topic: `what is indexed in ${subject} beside keys`, subject };
  return [
    aboutAll(all, words, (own, run) => {
      const could = all.filter(({ use, question }) => references.has(use.column ?? "") && question.answers.has(run));
      return leading(own, { all, references: leadsOf(could) });
    }),
  ];
}

/**
 * All references that some run indexes and this one could are one answer. What one run alone indexes besides is told among
 * the details, and parts it from no other.
 */
function leading(own: readonly Index[], field: { all: readonly Index[]; references: readonly string[] }): Told {
  const isShared = (lead: string) =>
    new Set(field.all.flatMap(({ use, runs }) => (use.lead === lead ? [...runs] : []))).size > 1;
  const leads = leadsOf(own);
  const shared = leads.filter(isShared);
  const told = shared.length > 0 ? shared : leads;
  if (field.references.length < 2 || !field.references.every((lead) => told.includes(lead))) return listed(told);
  return listed(["its references", ...told.filter((lead) => !field.references.includes(lead))]);
}

function leadsOf(all: readonly Index[]): string[] {
  return namesOf(all, ({ use }) => use.lead);
}

function namesOf(all: readonly Index[], nameOf: (each: Index) => string): string[] {
  return [...new Set(all.map(nameOf))].sort(compareText);
}

/** By what they find, and for what is found in several ways, by which method. */
function searched(all: readonly Index[]): Question[] {
  const [first] = all;
  if (first === undefined || all.length < 2) return [];
  const { said: subject } = first.use;
  const title = `What do search indexes of ${subject} find?`;
  const words = { aspect: "search", title, topic: `search indexes of ${subject}`, subject };
  const finds = groupBy(all, ({ use }) => use.finds ?? "");
  const methods = [...finds].filter(([, each]) => new Set(each.map(({ use }) => use.method)).size > 1);
  return [
    aboutAll(all, words, (own) => listed(namesOf(own, ({ use }) => use.finds ?? ""))),
    ...methods.map(([name, each]) => methodOf(name, each)),
  ];
}

function methodOf(finds: string, all: readonly Index[]): Question {
  const subject = all[0]?.use.said ?? "";
  const title = `Which index finds ${finds} in ${subject}?`;
  const words = {
    aspect: `method for ${finds}`,
    title,
    topic: `index that finds ${finds} in ${subject}`,
    subject,
  };
  return aboutAll(all, words, (own) => {
    return own.length === 0 ? undefined : listed(namesOf(own, ({ use }) => use.method));
  });
}

function cut(title: string, shorter: string): string {
  return [...title].length <= 80 ? title : shorter;
}

function listed(names: readonly string[]): Told {
  if (names.length === 0) return { value: "none", label: "none", lack: true };
  const more = names.length > 4 ? ` and ${names.length - 4} more` : "";
  return { value: JSON.stringify(names), label: `${names.slice(0, 4).join(", ")}${more}`, lack: false };
}
