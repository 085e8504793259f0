import { berth, type Change, crew } from "./change.js";

/** Keys, checks, references, indexes and policies. */
export const rules: Change[] = [
  {
    what: "a rule under another name",
    before: crew("pay int CONSTRAINT paid CHECK (pay > 0)"),
    after: crew("pay int CONSTRAINT positive CHECK (pay > 0)"),
    facts: ["check table public.crew paid · name: renamed to `positive`"],
  },
  {
    what: "what becomes of rows that refer",
    before: crew("boss int REFERENCES crew"),
    after: crew("boss int REFERENCES crew ON DELETE CASCADE ON UPDATE CASCADE"),
    facts: [
      "column public.crew.boss · on delete: deleted with it",
      "column public.crew.boss · on update: updated with it",
    ],
  },
  {
    what: "the order of a key's columns",
    before: berth,
    after: "CREATE TABLE berth (pier int, slot int, PRIMARY KEY (slot, pier));",
    facts: ["primary key table public.berth pier.slot · order: `slot`, `pier`"],
  },
  {
    what: "whether two empty values are alike",
    before: crew("badge text UNIQUE"),
    after: crew("badge text UNIQUE NULLS NOT DISTINCT"),
    facts: ["unique table public.crew badge · empty values: two are refused now"],
  },
  {
    what: "indexes on an expression, of some rows, with more columns",
    before: crew("name text, left_at date", "CREATE INDEX ON crew (name);"),
    after: crew("name text, left_at date", "CREATE INDEX ON crew (lower(name)) INCLUDE (id) WHERE left_at IS NULL;"),
    facts: [
      'dropped index table public.crew ["btree",["name"],[],null] · presence: dropped',
      'index table public.crew ["btree",["lower(name)"],["id"],"(left_at IS NULL)"] · presence: yes',
    ],
  },
  {
    what: "policies, and whether they bind the owner",
    before: crew(
      "boat text",
      "ALTER TABLE crew ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON crew USING (boat = CURRENT_USER);",
    ),
    after: crew(
      "boat text",
      `ALTER TABLE crew ENABLE ROW LEVEL SECURITY; ALTER TABLE crew FORCE ROW LEVEL SECURITY;
       CREATE POLICY own ON crew AS RESTRICTIVE FOR SELECT USING (boat = CURRENT_USER);`,
    ),
    facts: [
      "row security public.crew · policies: restricts select where `boat = CURRENT_USER`",
      "row security public.crew · row security: yes, for the owner too",
    ],
  },
  {
    what: "a rule about two rows",
    before: crew("watch int4range, shift int4range, EXCLUDE USING gist (shift WITH &&)"),
    after: crew("watch int4range, shift int4range, EXCLUDE USING gist (watch WITH &&) WHERE (id > 0) DEFERRABLE"),
    facts: [
      "dropped exclusion table public.crew shift EXCLUDE USING gist (shift WITH &&) · presence: dropped",
      "exclusion table public.crew watch · rule: `gist (watch WITH &&) WHERE ((id > 0))`",
      "exclusion table public.crew watch · time of checking: where a transaction asks for that",
    ],
  },
];
