import type { Report } from "../../src/model/report.js";
import type { SchemaColumn, SchemaSnapshot, SchemaTable } from "../../src/model/schema.js";
import { noBase, reportOf } from "./report.js";
import { column, id, key, type RunParts, refers, run, snapshot, table } from "./runs.js";

/** Choices one run may take otherwise when it builds a small library from nothing: branches, books, loans. */
export interface Library {
  key?: SchemaColumn;
  text?: string;
  time?: string;
  status?: SchemaColumn;
  fee?: string;
  days?: string;
  loose?: boolean;
  unlinked?: boolean;
  onDelete?: "cascade" | "restrict" | "no action";
  /** Tables that note when a row was made, and how. */
  created?: string[];
  now?: string;
  branches?: Parts;
  books?: Parts;
  loans?: Parts;
  more?: SchemaTable[];
  enums?: SchemaSnapshot["enums"];
  rows?: RunParts["rows"];
}

type Parts = Partial<Pick<SchemaTable, "columns" | "constraints" | "indexes">>;

export function library(n: number, choices: Library = {}): SchemaTable[] {
  const { text = "text", time = "timestamp without time zone", loose = false, created = [] } = choices;
  const own = choices.key ?? id();
  const plain = (name: string, type: string) => column(name, type, { notNull: !loose });
  const link = (name: string) => column(name, own.type, { notNull: true });
  const to = (name: string, target: string) =>
    choices.unlinked ? [] : [refers(name, target, choices.onDelete ?? "no action")];
  const stamp = (name: string) =>
    created.includes(name)
      ? [column("created_at", "timestamp without time zone", { default: choices.now ?? "CURRENT_TIMESTAMP" })]
      : [];
  const make = (name: "branches" | "books" | "loans", columns: SchemaColumn[], links: SchemaTable["constraints"]) =>
    table(name, {
      salt: n,
      columns: [own, ...columns, ...stamp(name), ...(choices[name]?.columns ?? [])],
      constraints: [key(own.name), ...links, ...(choices[name]?.constraints ?? [])],
      indexes: choices[name]?.indexes ?? [],
    });
  return [
    make("branches", [plain("name", text), plain("town", text)], []),
    make(
      "books",
      [
        link("branch_id"),
        column("isbn", text, { notNull: true }),
        plain("title", text),
        choices.status ?? column("status", "text", { notNull: true }),
        plain("fee", choices.fee ?? "numeric(10,2)"),
      ],
      to("branch_id", "branches"),
    ),
    make(
      "loans",
      [link("book_id"), plain("days", choices.days ?? "double precision"), column("lent_at", time, { notNull: true })],
      to("book_id", "books"),
    ),
    ...(choices.more ?? []),
  ];
}

/** The report of so many runs of each kind, in this order, from an empty base. */
export function libraries(...kinds: [number, Library][]): Report {
  const choices = kinds.flatMap(([count, each]) => Array.from({ length: count }, () => each));
  const runs = choices.map((each, at) => {
    const { enums = [], rows = null } = each;
    return run(at + 1, { schema: snapshot(library(at + 1, each), { enums }), ...(rows ? { rows } : {}) });
  });
  return reportOf(runs, noBase);
}

/** Each decision as its title and the sizes of its options: "Are … required? 7:3". */
export function told({ decisions }: Report): string[] {
  return decisions.map(({ title, options }) => `${title} ${options.map(({ runs }) => runs.length).join(":")}`);
}

/** A table of tags beside books, keyed as given. */
export function tags(n: number, constraints: SchemaTable["constraints"], columns: SchemaColumn[] = []): SchemaTable {
  const own = [column("book_id", "integer", { notNull: true }), column("tag", "text", { notNull: true })];
  return table("book_tags", {
    salt: n,
    columns: [...columns, ...own],
    constraints: [refers("book_id", "books"), ...constraints],
  });
}
