import type { RunArtifacts } from "../../src/model/fact.js";
import { check, column, id, index, key, refers, rowChanges, rowsOf, run, snapshot, table, unique } from "./runs.js";

/** How a run spells the name of something it made: by the table, and by the column where it is one. */
export type Say = (table: string, column?: string) => string;

export const plainly: Say = (table, column) => column ?? table;

/** Every new name another one, and none of them a word that orders as the old one did. */
export const otherwise: Say = (table, column) => `z${[...(column ?? table)].reverse().join("")}`;

const users = table("users", {
  columns: [id(), column("email", "text", { notNull: true })],
  constraints: [key("id")],
});

export const designBase = { schema: snapshot([users]), checks: null };

/** Which tables there are and how they hang together. Each differs from the others in the kinds of its columns. */
export interface Design {
  tables: { name: string; kinds: string[]; targets: string[]; distinct: boolean }[];
}

const kinds = ["boolean", "date", "jsonb", "numeric(8,2)"];

/** Tables that refer to users and to one another; the first is referred to by users, all others lead to it. */
export function randomDesign(random: () => number): Design {
  const count = 2 + Math.floor(random() * 5);
  const tables = Array.from({ length: count }, (_, at) => ({
    name: `thing_${String.fromCharCode(97 + at)}`,
    kinds: kinds.filter((_, bit) => (at + 1) & (1 << bit)),
    targets:
      at === 0 ? ["users"] : [...(random() < 0.5 ? ["users"] : []), `thing_${at > 1 && random() < 0.5 ? "b" : "a"}`],
    distinct: random() < 0.4,
  }));
  return { tables };
}

/** A run that follows the design and takes its own choices in everything else. */
export function designRun(
  n: number,
  { tables }: Design,
  { random, say }: { random: () => number; say: Say },
): RunArtifacts {
  const pick = <T>(...options: T[]): T => options[Math.floor(random() * options.length)] as T;
  const action = () => pick("cascade" as const, "set null" as const, "restrict" as const);
  const role = say("role_list");
  const made = tables.map(({ name, kinds, targets, distinct }) => {
    const own = (word: string) => say(name, word);
    const links = targets.map((target) => ({ target, column: own(`${target}_id`) }));
    const rule = `(${own("name")} <> ''::text)`;
    return table(say(name), {
      salt: n,
      columns: [
        id(pick("integer", "bigint")),
        column(own("name"), pick("text", "character varying(80)"), { notNull: pick(true, false) }),
        column(own("role"), role, { default: pick(null, `'low'::${role}`) }),
        ...kinds.map((kind) => column(own(kind.replace(/\W.*/, "_it")), kind, { notNull: pick(true, false) })),
        ...links.map(({ column: each }) => column(each, "integer", { notNull: pick(true, false) })),
      ].map((each) => (each.name === "id" ? { ...each, name: own("id") } : each)),
      constraints: [
        key(own("id")),
        ...links.map(({ target, column: each }) => to(each, target, say, action())),
        ...(distinct ? [unique(own("name"))] : []),
        ...pick([], [check([own("name")], rule)]),
      ],
      indexes: [
        ...pick([], [index(own("name"))]),
        ...(distinct
          ? [{ ...index(`lower(${own("name")})`), unique: true, predicate: `(${own("name")} IS NOT NULL)` }]
          : []),
      ],
      rowSecurity: pick("off", "on"),
    });
  });
  const link = say("users", "thing_a_id");
  const changed = table("users", {
    columns: [...users.columns, column(link, "integer")],
    constraints: [...users.constraints, to(link, "thing_a", say, action())],
    indexes: pick([], [index(link)]),
  });
  const enums = [{ schema: "public", name: role, oid: 20_000 + n, comment: null, labels: ["low", "high"] }];
  const filled = pick(0, 12);
  const rows = rowChanges(
    rowsOf("users", {
      state: "matched",
      baseRows: 12,
      runRows: 12,
      filledColumns: filled ? [{ name: link, rows: filled }] : [],
    }),
    ...tables.map(({ name }) => rowsOf(say(name), { key: [say(name, "id")], runRows: pick(0, 1, 12) })),
  );
  return run(n, { schema: snapshot([changed, ...made], { enums }), rows });
}

function to(column: string, target: string, say: Say, onDelete: "cascade" | "set null" | "restrict") {
  if (target === "users") return refers(column, "users", onDelete);
  const found = refers(column, say(target), onDelete);
  return { ...found, references: found.references && { ...found.references, columns: [say(target, "id")] } };
}
