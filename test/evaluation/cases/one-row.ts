import { type Case, neverMentions, sizesOf, two } from "./case.js";
import { gear, generated } from "./studio.js";

const uuid = "id UUID PRIMARY KEY DEFAULT gen_random_uuid()";
const takes = (columns: string) => `CREATE TABLE takes (${columns});`;
const all = ["studios", "rooms", "bookings"] as const;

/** What is one choice, however many tables and columns show it. */
export const oneRow: Case[] = [
  {
    name: "created_at on three tables",
    runs: [
      [4, { created: [...all] }],
      [6, {}],
    ],
    sizes: ["6:4"],
  },
  {
    name: "created_at on all tables, on one, on none",
    runs: [
      [4, { created: [...all] }],
      [3, { created: ["bookings"] }],
      [3, {}],
    ],
    sizes: ["4:3:3"],
  },
  two("the type of keys, which references follow", {}, { key: uuid }, ["6:4"]),
  two("text keys that the application makes", {}, { key: "id TEXT PRIMARY KEY" }, ["6:4"]),
  two("NOT NULL on everything or on nothing", {}, { loose: true }, ["7:3"], [7, 3]),
  two("no references at all", {}, { unlinked: true }, ["7:3"], [7, 3]),
  two("ON DELETE CASCADE everywhere", {}, { onDelete: "ON DELETE CASCADE" }, ["7:3"], [7, 3]),
  two("bounded strings or text", {}, { strings: "VARCHAR(255)" }, ["5:5"], [5, 5]),
  two("with or without a time zone", {}, { moment: "TIMESTAMPTZ" }, ["5:5"], [5, 5]),
  {
    name: "a fixed list as check, as enum, as a table keyed by its code",
    runs: [
      [3, { status: "TEXT NOT NULL CHECK (status IN ('free', 'taken'))" }],
      [3, { before: "CREATE TYPE room_status AS ENUM ('free', 'taken');", status: "room_status NOT NULL" }],
      [
        3,
        {
          before: `CREATE TABLE room_statuses (code TEXT PRIMARY KEY, label TEXT);
            INSERT INTO room_statuses VALUES ('free', 'Free'), ('taken', 'Taken');`,
          status: "TEXT NOT NULL REFERENCES room_statuses (code)",
        },
      ],
    ],
    sizes: ["3:3:3"],
  },
  {
    name: "a plain text, a check written out, a table of values with ids",
    runs: [
      [4, {}],
      [3, { status: "TEXT NOT NULL CHECK (status = 'free' OR status = 'taken')" }],
      [
        2,
        {
          before: `CREATE TABLE room_statuses (${generated}, name TEXT NOT NULL UNIQUE);
            INSERT INTO room_statuses (name) VALUES ('free'), ('taken');`,
          status: "INTEGER NOT NULL REFERENCES room_statuses (id)",
        },
      ],
    ],
    sizes: ["4:3:2"],
  },
  {
    name: "money three ways",
    runs: [
      [4, {}],
      [3, { rate: "REAL" }],
      [2, { rate: "INTEGER" }],
    ],
    sizes: ["4:3:2"],
  },
  two(
    "a key of two references, or an id and the pair unique",
    { after: gear(", PRIMARY KEY (room_id, gear)") },
    { after: gear(`, ${generated}, UNIQUE (room_id, gear)`) },
    ["5:5"],
    [5, 5],
  ),
  two(
    "a natural key, or an id and the same column unique",
    { after: takes(`${generated}, code TEXT NOT NULL UNIQUE, minutes NUMERIC`) },
    { after: takes("code TEXT PRIMARY KEY, minutes NUMERIC") },
    ["6:4"],
  ),
  two(
    "an index on every reference",
    {},
    { after: "CREATE INDEX i1 ON rooms (studio_id); CREATE INDEX i2 ON bookings (room_id);" },
    ["6:4"],
  ),
  {
    name: "two checks, one of them, none",
    runs: [
      [3, { rooms: ", CHECK (rate >= 0), CHECK (length(label) > 2)" }],
      [4, { rooms: ", CHECK (rate >= 0)" }],
      [3, {}],
    ],
    sizes: ["4:3:3"],
  },
  two(
    "a table more and the reference to it",
    {},
    {
      before: `CREATE TABLE landlords (${generated}, email TEXT NOT NULL UNIQUE, phone TEXT);`,
      studios: ", landlord_id INTEGER REFERENCES landlords (id)",
    },
    ["6:4"],
  ),
  two(
    "a text, or a reference to a table of its own",
    { studios: ", landlord TEXT" },
    {
      before: `CREATE TABLE landlords (${generated}, name TEXT NOT NULL, phone TEXT);`,
      studios: ", landlord_id INTEGER REFERENCES landlords (id)",
    },
    ["6:4"],
  ),
  {
    name: "NOT NULL and default of one column",
    runs: [
      [5, { studios: ", seats INTEGER" }],
      [3, { studios: ", seats INTEGER NOT NULL DEFAULT 0" }],
      [2, { studios: ", seats INTEGER NOT NULL" }],
    ],
    sizes: ["5:3:2"],
  },
  {
    ...two(
      "one table keyed otherwise than all others",
      { after: takes("id TEXT PRIMARY KEY, minutes NUMERIC") },
      { after: takes(`${generated}, minutes NUMERIC`) },
      ["6:4"],
    ),
    also: { what: "it is about that table", holds: ({ decisions }) => /takes/.test(decisions[0]?.title ?? "") },
  },
  {
    name: "many tables of one run do not turn its habit for the others",
    runs: [
      [5, { key: "id UUID PRIMARY KEY", after: "CREATE TABLE amps (k UUID PRIMARY KEY);" }],
      [5, {}],
      [1, { after: ["v", "w", "x", "y"].map((name) => `CREATE TABLE ${name} (id UUID PRIMARY KEY);`).join(" ") }],
    ],
    also: {
      what: "apart from the table of five, only the keys divide six runs and five",
      holds: ({ decisions }) =>
        decisions
          .filter(({ title }) => !/amps|`k`/.test(title))
          .map(sizesOf)
          .join() === "6:5",
    },
  },
  {
    ...two(
      "a list of ids follows the key",
      { key: "id UUID PRIMARY KEY", after: takes("id UUID PRIMARY KEY, room_ids UUID[] NOT NULL") },
      { after: takes(`${generated}, room_ids INTEGER[] NOT NULL`) },
      ["5:5"],
      [5, 5],
    ),
    also: neverMentions(/room_ids/),
  },
  two(
    "a table keyed by a text is no table of values",
    {
      before: "CREATE TABLE desks (desk_id TEXT PRIMARY KEY, bought TIMESTAMP);",
      studios: ", desk_id TEXT NOT NULL REFERENCES desks (desk_id)",
    },
    {
      before: "CREATE TABLE desks (desk_id TEXT PRIMARY KEY, bought TIMESTAMP);",
      studios: ", desk_id TEXT NOT NULL REFERENCES desks (desk_id) ON DELETE CASCADE",
    },
    ["6:4"],
  ),
];
