import type { Weight } from "../model/fact.js";
import type { DefinedObject, Grant, SchemaSnapshot } from "../model/schema.js";
import { objectSlot, routineSlot } from "./definitions.js";
import { type MatchedSchema, ofBase, qualified, runSlot, schemaSlot, shortName } from "./matching.js";
import { underNewNames } from "./renamed-objects.js";
import { schemaExtractor } from "./schema.js";
import type { Statements } from "./statement.js";
import { quote } from "./words.js";

type Grants = readonly Grant[];

/** Something privileges are granted on; `base` holds what base grants, undefined where the run made the thing. */
interface Granted {
  slot: string;
  name: string;
  now: Grants;
  base: Grants | undefined;
  /** What must be so for the question to arise. */
  parents: string[];
  /** True for things that hold rows: opening them to everyone is a risk. */
  holdsRows: boolean;
  /** What the server grants to everyone by itself. */
  usual: string[];
}

/** Who may do what, beside the owner: one question per object and grantee. */
export const grants = schemaExtractor((statements, matched) => {
  for (const each of [...onTables(matched), ...onObjects(matched)]) state(statements, each);
});

function onTables({ tables, partitions }: MatchedSchema): Granted[] {
  return [...tables, ...partitions].flatMap((matched): Granted[] => {
    const { table, base, slot, name, columns } = matched;
    const own = { slot, name, now: table.grants, base: base?.grants, holdsRows: true, usual: [] };
    return [
      { ...own, parents: base === null ? (table.partitionOf === null ? [slot] : [schemaSlot]) : ofBase(matched) },
      ...columns.map((column): Granted => {
        const { slot: at, name: called, base: old } = column;
        const isPart = base === null && table.partitionOf !== null;
        const parents = old !== null ? ofBase(matched) : isPart ? [schemaSlot] : [at];
        return {
          slot: at,
          name: called,
          now: column.column.grants,
          base: old?.grants,
          parents,
          holdsRows: true,
          usual: [],
        };
      }),
    ];
  });
}

interface Plain {
  slot: string;
  /** What must be there where the thing itself has no slot of its own. */
  parent?: string;
  name: string;
  grants: Grants;
  holdsRows?: boolean;
  usual?: string[];
}

function onObjects({ run, base, clone }: MatchedSchema): Granted[] {
  const known = clone ? underNewNames(base, run) : base;
  const before = new Map(plainObjects(known, known).map((each) => [each.slot, each.grants]));
  return plainObjects(run, known).map(({ slot, parent = slot, name, grants: now, holdsRows = false, usual = [] }) => {
    const old = before.get(slot);
    return { slot, name, now, base: old, parents: [old ? runSlot : parent], holdsRows, usual };
  });
}

/** New sequences of columns are left to their tables. */
function plainObjects(
  { schemas, views, sequences, routines, ...types }: SchemaSnapshot,
  base: SchemaSnapshot,
): Plain[] {
  const known = new Set(base.sequences.map((each) => objectSlot("sequence", each)));
  const told = sequences.filter((each) => each.ownedBy === null || known.has(objectSlot("sequence", each)));
  const named = (word: string, each: { schema: string; name: string; grants: Grants }) => ({
    slot: objectSlot(word, each),
    name: shortName(each),
    grants: each.grants,
  });
  return [
    ...schemas.map((each) => ({ slot: `schema ${qualified(each.name)}`, name: each.name, grants: each.grants })),
    ...views.map((each) => ({ ...named("view", each), holdsRows: true })),
    ...views.flatMap((view) =>
      (view.columns ?? []).map(({ name, grants: own }) => ({
        slot: `column ${qualified(view.schema, view.name, name)}`,
        parent: objectSlot("view", view),
        name: `${shortName(view)}.${name}`,
        grants: own,
        holdsRows: true,
      })),
    ),
    ...told.map((each) => named("sequence", each)),
    ...ofTypes("domain", types.domains),
    ...ofTypes("type", types.composites),
    ...ofTypes("range", types.ranges),
    ...routines.map((each) => {
      const { grants: own } = each;
      return { slot: routineSlot(each), name: `${shortName(each)}()`, grants: own, usual: ["EXECUTE"] };
    }),
  ];
}

function ofTypes(word: string, types: readonly DefinedObject[]): Plain[] {
  return types.map((each) => {
    return { slot: objectSlot(word, each), name: shortName(each), grants: each.grants, usual: ["USAGE"] };
  });
}

function state(statements: Statements, granted: Granted): void {
  const usual: Grants = granted.usual.length > 0 ? [{ grantee: "public", privileges: granted.usual }] : [];
  const before = new Map((granted.base ?? usual).map(({ grantee, privileges }) => [grantee, privileges]));
  const now = new Map(granted.now.map(({ grantee, privileges }) => [grantee, privileges]));
  for (const grantee of new Set([...before.keys(), ...now.keys()])) {
    const change = { grantee, now: now.get(grantee) ?? [], before: before.get(grantee) ?? [] };
    if (grantee !== "owner" && told(change.now) !== told(change.before)) grantedTo(statements, granted, change);
  }
}

interface Change {
  grantee: string;
  now: readonly string[];
  before: readonly string[];
}

function grantedTo(statements: Statements, granted: Granted, { grantee, now, before }: Change): void {
  const subject = quote(granted.name);
  const everyone = grantee === "public";
  const who = everyone ? "everyone" : quote(grantee);
  const wider = now.some((privilege) => !before.includes(privilege));
  const kind = granted.base === undefined ? "consequence" : "damage";
  const weight: Weight = granted.holdsRows || everyone ? 3 : 2;
  statements.add({
    slot: `grants ${granted.slot} ${qualified(grantee)}`,
    parents: granted.parents,
    aspect: "privileges",
    value: told(now),
    label: labelOf(now),
    absentLabel: granted.base === undefined ? labelOf(before) : `${labelOf(before)}, as before`,
    title: `What may ${who} do with ${subject}?`,
    topic: `privileges of ${who} on ${subject}`,
    subject,
    weight,
    lack: now.length === 0,
    links: [`theme privileges ${grantee}`],
    risk: everyone && wider && granted.holdsRows ? { kind, text: `opens ${subject} to everyone` } : null,
  });
}

function told(privileges: readonly string[]): string {
  return [...privileges].sort().join();
}

const onTable = ["DELETE", "INSERT", "REFERENCES", "SELECT", "TRIGGER", "TRUNCATE", "UPDATE"];

/** "select, update (may hand on)"; all that can be granted on a table is "everything". */
function labelOf(privileges: readonly string[]): string {
  if (privileges.length === 0) return "nothing";
  if (onTable.every((each) => privileges.includes(each))) return "everything";
  const words = [...privileges].sort().map((each) => each.toLowerCase().replace(/\*$/, " (may hand on)"));
  return words.join(", ");
}
