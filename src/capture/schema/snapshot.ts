import type { Client } from "pg";
import type { SchemaSnapshot } from "../../model/schema.js";
import type { Secret } from "../../model/secret.js";
import { readOnly } from "../read-only.js";
import { readDatabaseWide } from "./database-wide.js";
import { readSequences, readViews } from "./relations.js";
import { readRoutines } from "./routines.js";
import type { Reading } from "./shared.js";
import { readTables } from "./tables.js";
import { readTypes } from "./types.js";

/**
 * A database as its catalogs describe it at one moment. Repeated, and over clones of one database, it is the same to
 * the byte: lists are sorted by code point, definitions are always qualified, and the role that owns the database is
 * `owner` whatever it is called.
 * @throws MultirunError `timed_out` where it takes longer than `timeoutMs` in all; a snapshot is never partial, because
 *   what is left out of one reads as dropped
 */
export function snapshotSchema(url: Secret, options: { timeoutMs: number }): Promise<SchemaSnapshot> {
  return readOnly(url, { ...options, subject: "The schema" }, readSnapshot);
}

async function readSnapshot(client: Client): Promise<SchemaSnapshot> {
  const reading = await begin(client);
  return {
    version: 1,
    postgres: reading.version,
    ...(await readDatabaseWide(reading)),
    tables: await readTables(reading),
    ...(await readTypes(reading)),
    sequences: await readSequences(reading),
    views: await readViews(reading),
    routines: await readRoutines(reading),
    unreadable: [],
  };
}

/** Roles that multirun makes for the databases of an experiment: each stands for "the owner" in its own database. */
const madeRole = /^multirun_[a-z0-9_]+_(?:seed|reader|reference|base|(?:r\d{2,3}|baseline)_\d+)$/;

async function begin(client: Client): Promise<Reading> {
  const found = await client.query<{ version: string; owner: string }>(
    `SELECT current_setting('server_version_num') AS version, pg_get_userbyid(datdba)::text AS owner
     FROM pg_database WHERE datname = current_database()`,
  );
  const { version = "0", owner = "" } = found.rows[0] ?? {};
  return {
    client,
    version: Math.floor(Number(version) / 10_000),
    isOwner: (role) => role === owner || role === "owner" || role === "pg_database_owner" || madeRole.test(role),
  };
}
