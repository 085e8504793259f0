import type { Client } from "../../clients/postgres.js";
import type { SchemaSnapshot } from "../../model/schema.js";
import type { Further } from "../read-only.js";
import { readConstraints } from "./constraints.js";
import { readDatabaseWide } from "./database-wide.js";
import { readIndexes } from "./indexes.js";
import { readOthers } from "./others.js";
import { readSequences, readViews } from "./relations.js";
import { readRoutines } from "./routines.js";
import { firstOfPeople, type Reading, usualGrants } from "./shared.js";
import { readTables, readTriggers } from "./tables.js";
import { askTogether } from "./together.js";
import { readTypes } from "./types.js";

/**
 * A database as its catalogs describe it at one moment. Repeated, and over clones of one database, it is the same to
 * the byte: lists are sorted by code point, definitions are always qualified, and the role that owns the database is
 * `owner` whatever it is called.
 * A snapshot is never partial, because what is left out of one reads as dropped.
 * @param client in a transaction of `readOnly`
 * @param beside where it is given, two of the server's processes write out a large schema
 */
export async function readSchema(client: Client, beside?: Further["beside"]): Promise<SchemaSnapshot> {
  const { reading, isLarge, snapshot } = await begin(client);
  const half = (own: Reading) => Promise.all([readConstraints(own), readIndexes(own)]);
  const written =
    beside && isLarge
      ? // Where the server has no connection to spare, one writes all of it.
        beside(snapshot, (other) => half({ ...reading, ask: askTogether(other) })).catch(() => half(reading))
      : half(reading);
  const hangers = {
    constraints: written.then(([constraints]) => constraints),
    indexes: written.then(([, indexes]) => indexes),
    triggers: readTriggers(reading),
  };
  const [wide, tables, types, sequences, views, routines, others] = await Promise.all([
    readDatabaseWide(reading),
    readTables(reading, hangers),
    readTypes(reading),
    readSequences(reading),
    readViews(reading, hangers),
    readRoutines(reading),
    readOthers(reading),
  ]);
  return {
    version: 1,
    postgres: reading.version,
    ...wide,
    tables,
    ...types,
    sequences,
    views,
    routines,
    ...(others.length > 0 ? { others } : {}),
    unreadable: [],
  };
}

/** Roles that multirun makes for the databases of an experiment: each stands for "the owner" in its own database. */
const madeRole = /^multirun_[a-z0-9_]+_(?:seed|reader|reference|base|(?:r\d{2,3}|baseline)_\d+)$/;

/** With more indexes than this, another connection costs less than it saves. */
const manyIndexes = 300;

interface Begun {
  reading: Reading;
  isLarge: boolean;
  /** The moment that is read, for another connection to read the same. */
  snapshot: string;
}

async function begin(client: Client): Promise<Begun> {
  const found = await client.query<Begun & { version: string; owner: string; usual: Reading["usual"] }>(
    `SELECT current_setting('server_version_num') AS version, pg_get_userbyid(datdba)::text AS owner,
       ${usualGrants("datdba")} AS usual, pg_export_snapshot() AS snapshot,
       (SELECT count(*) > ${manyIndexes} FROM pg_index WHERE indexrelid >= ${firstOfPeople}) AS "isLarge"
     FROM pg_database WHERE datname = current_database()`,
  );
  const [row] = found.rows;
  if (!row) throw new Error("the database one is connected to is in the list of all"); // By definition of the catalog.
  const { version, owner, usual, snapshot, isLarge } = row;
  const reading: Reading = {
    ask: askTogether(client),
    usual,
    version: Math.floor(Number(version) / 10_000),
    isOwner: (role) => role === owner || role === "owner" || role === "pg_database_owner" || madeRole.test(role),
  };
  return { reading, isLarge, snapshot };
}
