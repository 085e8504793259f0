import type { BaseArtifacts, RunArtifacts } from "../../src/model/fact.js";
import type { SchemaTable } from "../../src/model/schema.js";
import {
  check,
  column,
  id,
  index,
  key,
  refers,
  result,
  rowChanges,
  rowsOf,
  run,
  snapshot,
  table,
  unique,
} from "./runs.js";

/** The shape of the bundled demo: ten runs add teams to a small app with users, projects and tasks. */
export const titles = [
  "node --test test/projects.test.js",
  "node --test test/tasks.test.js",
  "node --test test/summary.test.js",
];

const users = table("users", {
  columns: [id(), column("email", "text", { notNull: true }), column("name", "text", { notNull: true })],
  constraints: [key("id"), unique("email"), check(["name"], "(name <> ''::text)")],
});

const tasks = table("tasks", {
  columns: [id(), column("project_id", "integer", { notNull: true }), column("title", "text", { notNull: true })],
  constraints: [key("id"), refers("project_id", "projects", "cascade")],
  indexes: [index("project_id")],
});

const projectParts = {
  columns: [id(), column("owner_id", "integer", { notNull: true }), column("name", "text", { notNull: true })],
  constraints: [key("id"), refers("owner_id", "users", "cascade"), unique("owner_id", "name")],
};

export const demoBase: BaseArtifacts = {
  schema: snapshot([table("projects", projectParts), tasks, users]),
  checks: titles.map((title) => result(title)),
};

interface Design {
  onDelete: "cascade" | "set null";
  personal: boolean;
  word?: "team" | "group";
  indexed?: boolean;
}

/** The tables of one design. Oids of what is new differ from run to run, as they do in real clones. */
export function teamTables(n: number, { onDelete, word = "team", indexed = false }: Design): SchemaTable[] {
  const [many, members, link] = [`${word}s`, `${word}_members`, `${word}_id`];
  const projects = table("projects", {
    columns: [...projectParts.columns, column(link, "integer")],
    constraints: [...projectParts.constraints, refers(link, many, onDelete)],
    indexes: indexed ? [index(link)] : [],
  });
  const teams = table(many, {
    salt: n,
    columns: [id(), column("owner_id", "integer", { notNull: true }), column("name", "text", { notNull: true })],
    constraints: [key("id"), refers("owner_id", "users"), check(["name"], "(name <> ''::text)")],
  });
  const memberships = table(members, {
    salt: n,
    columns: [column(link, "integer", { notNull: true }), column("user_id", "integer", { notNull: true })],
    constraints: [key(link, "user_id"), refers(link, many, "cascade"), refers("user_id", "users", "cascade")],
  });
  return [projects, tasks, memberships, teams, users];
}

export function teamRows({ personal, word = "team" }: Design) {
  if (!personal) return rowChanges();
  const users = (column: string) => ({
    columns: [column],
    schema: "public",
    table: "users",
    distinct: 12,
    targetRows: 12,
  });
  const added = { count: 12, keys: [] };
  return rowChanges(
    rowsOf(`${word}_members`, { runRows: 12, added, links: [users("user_id")] }),
    rowsOf(`${word}s`, { runRows: 12, added, links: [users("owner_id")] }),
  );
}

const designs: Design[] = [
  { onDelete: "cascade", personal: true },
  { onDelete: "set null", personal: false },
  { onDelete: "set null", personal: true },
  { onDelete: "cascade", personal: false },
  { onDelete: "cascade", personal: false, indexed: true },
  { onDelete: "set null", personal: true },
  { onDelete: "cascade", personal: false, word: "group" },
  { onDelete: "set null", personal: true },
  { onDelete: "cascade", personal: true },
  { onDelete: "set null", personal: false },
];

const migration = (name: string) => `+db/migrations/${name}.sql`;

/** As `demoRuns`, but for r07's groups, which hold a colour: now they differ in structure as well. */
export function demoRunsApart(): RunArtifacts[] {
  const colourful = (table: SchemaTable) =>
    table.name === "groups"
      ? { ...table, columns: [...table.columns, column("colour", "text", { attnum: 9 })] }
      : table;
  return demoRuns().map((each) => ({
    ...each,
    schema: each.schema && { ...each.schema, tables: each.schema.tables.map(colourful) },
  }));
}

/** r07 names its tables differently, r08 hangs half-way, r02 breaks a check, r05 adds an index. */
export function demoRuns(): RunArtifacts[] {
  return designs.map((design, each) => {
    const n = each + 1;
    const checks = titles.map((title, place) => result(title, n === 2 && place === 0 ? "fail" : "pass"));
    const hangs = n === 8;
    const files = [
      "src/store.js",
      migration(n === 7 ? "001_groups" : "001_teams"),
      ...(hangs ? [] : ["+src/teams.js"]),
    ];
    const end = hangs
      ? { outcome: "timed_out" as const, partial: true, reason: "ran longer than 10s and was stopped" }
      : {};
    return run(n, { schema: snapshot(teamTables(n, design)), rows: teamRows(design), checks, files, ...end });
  });
}
