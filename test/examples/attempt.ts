import { cp, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { parse } from "yaml";
import type { Choice } from "../../examples/teams/choices.mjs";
import { taskFrontMatter } from "../../src/model/config.js";
import type { Server } from "./server.js";

export const example = fileURLToPath(new URL("../../examples/teams/", import.meta.url));
const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));

export async function readTask(): Promise<{ text: string; checks: string[]; seed: string[] }> {
  const [, header, text] = (await readFile(join(example, "task.md"), "utf8")).split(/^---\n/m);
  const { checks, seed } = taskFrontMatter.parse(parse(header ?? ""));
  return { text: text ?? "", checks: (checks ?? []).filter((check) => typeof check === "string"), seed: seed ?? [] };
}

/** A copy of the app and a copy of its database, both named after the attempt. */
export interface Place {
  folder: string;
  databaseUrl: string;
}

export async function prepare(server: Server, temporary: string, name: string): Promise<Place> {
  const folder = join(temporary, name);
  await cp(join(example, "app"), folder, { recursive: true });
  await symlink(modules, join(folder, "node_modules"));
  await server.query("postgres", `create database ${name} template base strategy file_copy`);
  return { folder, databaseUrl: server.url(name) };
}

export interface AgentEnd {
  stdout: string;
  stderr: string;
  exitCode: number | undefined;
  /** True where the agent waited for ever and was ended by us. */
  hung: boolean;
}

export async function runAgent(place: Place, run: string, args: string[], task: string): Promise<AgentEnd> {
  const agent = execa(process.execPath, [join(example, "agent.mjs"), ...args], {
    cwd: place.folder,
    env: { DATABASE_URL: place.databaseUrl, MULTIRUN_RUN: run },
    extendEnv: false,
    input: task,
    reject: false,
    timeout: 20_000,
  });
  let hung = false;
  agent.stdout.on("data", (chunk: Buffer) => {
    if (chunk.toString().includes("waiting for an answer that never comes")) {
      hung = agent.kill("SIGTERM");
    }
  });
  const { stdout, stderr, exitCode } = await agent;
  return { stdout, stderr, exitCode, hung };
}

/** The names of the tests that fail in a check. */
export async function failures(place: Place, command: string): Promise<string[]> {
  const withNames = command.replace("--test ", "--test --test-reporter=tap ");
  const { stdout, exitCode } = await execa("/bin/sh", ["-c", withNames], {
    cwd: place.folder,
    env: { DATABASE_URL: place.databaseUrl, PATH: process.env["PATH"] ?? "" },
    extendEnv: false,
    reject: false,
    timeout: 20_000,
  });
  const failed = [...stdout.matchAll(/^\s*not ok \d+ - (.*)$/gm)].map((match) => match[1] ?? "");
  if ((exitCode === 0) !== (failed.length === 0)) {
    throw new Error(`${command} ended with ${exitCode} and these failures: ${failed.join(", ")}\n${stdout}`);
  }
  return failed;
}

export interface Schema {
  columns: string[];
  constraints: string[];
  indexes: string[];
}

const schemaQueries = {
  columns: `select concat_ws(' ', table_name, column_name, data_type, is_nullable, is_identity) as text
              from information_schema.columns where table_schema = 'public'`,
  constraints: `select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) as text
                  from pg_constraint where connamespace = 'public'::regnamespace`,
  indexes: "select indexdef as text from pg_indexes where schemaname = 'public'",
};

/** The schema, with `group` read as `team` where the run renamed. */
export async function readSchema(server: Server, database: string, choice: Choice): Promise<Schema> {
  const read = async (sql: string) => {
    const rows = await server.query<{ text: string }>(database, sql);
    return rows.map(({ text }) => (choice.role === "renames" ? text.replaceAll("group", "team") : text)).sort();
  };
  const { columns, constraints, indexes } = schemaQueries;
  return { columns: await read(columns), constraints: await read(constraints), indexes: await read(indexes) };
}

/** Every row of the tables the app started with; the columns of base only. */
export function readRows(server: Server, database: string): Promise<{ row: string }[]> {
  return server.query(
    database,
    `select row from (
       select concat_ws('|', 'users', id, email, name) as row from users
       union all select concat_ws('|', 'projects', id, owner_id, name, archived) from projects
       union all select concat_ws('|', 'tasks', id, project_id, title, priority, due, done_at) from tasks) all_rows
      order by row`,
  );
}
