import { wordsOf } from "../../model/names.js";
import { compareText } from "../../model/text.js";
import { withNames } from "./composed.js";
import type { Way } from "./ways.js";

/** "table `team_members`", "column `users.team_id`", "list in `users.team_ids`". */
export function wayLabel({ question: { subject }, carrier: { form } }: Way): string {
  if (form === "table") return `table ${subject}`;
  return form === "list" ? `list in ${subject}` : `column ${subject}`;
}

interface Words {
  title: string;
  topic: string;
}

/** The question to which a table, a column and a list are answers, by what they are: ways come most runs first. */
export function coverTitle(ways: readonly Way[]): Words {
  const tables = ways.filter(({ carrier }) => carrier.form === "table");
  const columns = ways.filter(({ carrier }) => carrier.form !== "table");
  const [table] = tables;
  if (table && /^(?:member|membership)s?$/.test(wordsOf(table.carrier.name).at(-1) ?? "")) return membership;
  const held = columns.find(({ carrier }) => carrier.form === "plain" || carrier.form === "list");
  if (held && held.runs.size >= (table?.runs.size ?? 0)) {
    return asked((name) => `How is ${name} held?`, held.question.subject, "how … is held");
  }
  if (columns.length === 0) {
    const names = tables.map(({ question }) => question.subject).sort(compareText);
    return {
      title: withNames("Which of … is there?", names, "tables"),
      topic: withNames("which of … is there", names, "tables"),
    };
  }
  if (table) return asked((name) => `How is what ${name} holds modelled?`, table.question.subject, "how … is modelled");
  const ends = new Set(columns.map(({ carrier }) => carrier.name));
  const [first] = columns;
  if (ends.size === 1)
    return asked((name) => `Which table holds ${name}?`, first?.carrier.said.name ?? "", "the table that holds …");
  return {
    title: withNames(
      "Which of … leads there?",
      columns.map(({ question }) => question.subject),
      "columns",
    ),
    topic: "the column that leads there",
  };
}

const membership: Words = { title: "How is membership modelled?", topic: "how membership is modelled" };

function asked(title: (name: string) => string, name: string, topic: string): Words {
  return { title: title(name), topic: topic.replace("…", () => name) };
}
