import { groupBy } from "../../model/groups.js";
import { compareText } from "../../model/text.js";
import { sizesOf } from "../ask/partition.js";
import type { Question } from "../ask/questions.js";
import { composed } from "./composed.js";

/** Whether tables note when a row was made or changed is one choice of a run: all its tables, none, or only some. */
export function generics(questions: readonly Question[]): Question[] {
  const open = questions.filter(({ carrier, aspect }) => aspect === "presence" && carrier?.generic);
  const taken = new Set<Question>();
  const made: Question[] = [];
  for (const [name, columns] of groupBy(open, ({ carrier }) => carrier?.generic ?? "")) {
    const moving = columns.filter((column) => sizesOf(column).length > 1);
    if (moving.length < 2) continue;
    for (const each of moving) taken.add(each);
    made.push(
      everywhere(
        name,
        moving.sort((a, b) => compareText(a.key, b.key)),
      ),
    );
  }
  return [...questions.filter((question) => !taken.has(question)), ...made];
}

function everywhere(name: string, columns: readonly Question[]): Question {
  return composed({
    slot: `generic ${name}`,
    aspect: "tables",
    title: `Do tables hold \`${name}\`?`,
    topic: `\`${name}\` on tables`,
    subject: `\`${name}\``,
    parts: columns,
    answer(run) {
      const asked = columns.filter(({ answers }) => answers.has(run));
      const there = asked.filter(({ answers }) => answers.get(run)?.value === "present");
      if (asked.length === 0 || columns.some(({ missing }) => missing.includes(run))) return undefined;
      if (there.length === 0) return { value: "none", label: "no", lack: true };
      if (there.length === asked.length) return { value: "all", label: "yes", lack: false };
      const names = there.map(({ carrier }) => carrier?.said.table ?? "").sort(compareText);
      return { value: `only ${names.join()}`, label: `only ${listOf(names)}`, lack: false };
    },
  });
}

function listOf(names: readonly string[]): string {
  return names.length > 4 ? `${names.slice(0, 4).join(", ")} and ${names.length - 4} more` : names.join(", ");
}
