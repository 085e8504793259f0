import type { DatabaseError } from "pg";
import { type ConnectOptions, withClient } from "../../clients/postgres.js";
import { badInput, codeOf, MultirunError, messageOf } from "../../model/error.js";
import type { SeedFile } from "../../model/experiment.js";
import type { Secret } from "../../model/secret.js";
import { lineAt, readSql } from "./sql-text.js";

/**
 * Runs seed files in order, each as one query on a connection of its own: what a file sets for its session ends with it,
 * and unless it commits by itself, a file takes effect as a whole or not at all.
 * @throws MultirunError `bad_input` naming file, line, SQLSTATE and the server's message
 */
export async function applySeeds(url: Secret, seeds: readonly SeedFile[], options: ConnectOptions): Promise<void> {
  for (const seed of seeds) {
    refuseScript(seed);
    await withClient(url, options, (client) => runSeed(client, seed));
  }
}

type SeedClient = Parameters<Parameters<typeof withClient<void>>[2]>[0];

async function runSeed(client: SeedClient, seed: SeedFile): Promise<void> {
  let finished = 0;
  const count = () => {
    finished += 1;
  };
  connectionOf(client).on("commandComplete", count);
  try {
    await client.query(seed.sql);
  } catch (error) {
    throw failedSeed(seed, error, finished);
  }
  if (client.getTransactionStatus() !== "I") throw openTransaction(seed);
}

/** The connection ends with its file, and with it whatever was not committed. */
function openTransaction({ path, sql }: SeedFile): MultirunError {
  const begin = readSql(sql).statements.findLast(({ words: [first = ""] }) => ["begin", "start"].includes(first));
  const place = begin ? `${path} line ${lineAt(sql, begin.start)}` : path;
  return badInput(
    `${place}: a transaction is left open, and what it did would be lost`,
    "End it with COMMIT, or leave BEGIN out: a file takes effect as a whole anyway.",
  );
}

/** `pg` announces every finished statement on its connection; its types leave that out. */
function connectionOf(client: SeedClient): NodeJS.EventEmitter {
  return (client as unknown as { connection: NodeJS.EventEmitter }).connection;
}

/** Seeds are SQL for the server. What only psql understands is refused before anything runs. */
function refuseScript({ path, sql }: SeedFile): void {
  const { statements, backslash } = readSql(sql);
  const copy = statements.find(({ start, end, words }) => words[0] === "copy" && fromStdin.test(sql.slice(start, end)));
  // The rows after a COPY are full of backslashes, so what comes first is what to tell.
  if (copy && copy.start < (backslash ?? sql.length)) {
    throw badInput(
      `${path} line ${lineAt(sql, copy.start)}: COPY … FROM stdin reads rows that no SQL query can carry`,
      "Use INSERT; pg_dump writes it with --inserts --no-owner --no-privileges.",
    );
  }
  if (backslash === undefined) return;
  const command = /^\\\S*/.exec(sql.slice(backslash))?.[0] ?? "";
  throw badInput(
    `${path} line ${lineAt(sql, backslash)}: ${shorten(command)} is a command of psql, a seed is plain SQL`,
    /^\\(un)?restrict/.test(command)
      ? "Delete the \\restrict and \\unrestrict lines; pg_dump writes them for psql."
      : "Delete the line, or write what it does in SQL.",
  );
}

const fromStdin = /\bfrom\s+stdin\b/i;

function failedSeed(seed: SeedFile, error: unknown, finished: number): MultirunError {
  const { position, detail, severity } = error as Partial<DatabaseError>;
  if (severity === undefined) {
    return new MultirunError("infra", `${seed.path}: the connection broke: ${messageOf(error)}`, {
      hint: "Look at the database server's log and start again.",
      cause: error,
    });
  }
  const offset = position ? offsetOf(seed.sql, Number(position)) : readSql(seed.sql).statements[finished]?.start;
  const place = offset === undefined ? seed.path : `${seed.path} line ${lineAt(seed.sql, offset)}`;
  const near = offset === undefined ? "" : `, at "${shorten(seed.sql.slice(offset).split("\n")[0] ?? "")}"`;
  const said = detail ? `${messageOf(error)} (${detail})` : messageOf(error);
  // A server's message may quote a value of any length.
  return badInput(`${place}: ${shorten(said, 500)} (SQLSTATE ${codeOf(error)})${near}`, hintFor(codeOf(error)), error);
}

function hintFor(code: string | undefined): string {
  if (code === "42704") return "Correct the seed; for roles of another server dump with --no-owner --no-privileges.";
  if (code === "42501") return "Correct the seed; it runs as a plain role that owns its database and nothing else.";
  return "Correct the seed and start again.";
}

/** The server counts characters from 1, strings count UTF-16 units from 0. */
function offsetOf(text: string, position: number): number {
  return [...text].slice(0, position - 1).join("").length;
}

function shorten(text: string, most = 80): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
