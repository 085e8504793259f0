import { z } from "zod";

// No server gives longer names (63 bytes) and texts; what does is no snapshot, and would be in everybody's report.
const name = z.string().max(1_000);
const oid = z.number().int().nonnegative();
const text = z.string().max(5_000_000);
const flag = z.boolean();
const comment = text.nullable();
const objectHead = { schema: name, name, oid, comment };
/** Left out where the role that owns the database owns the thing as well. */
const owner = name.optional();

/** Who may do what, folded to what is granted: the owner is `owner`, `WITH GRANT OPTION` is `privilege*`. */
export const grant = z.strictObject({ grantee: name, privileges: z.array(text) });
export type Grant = z.infer<typeof grant>;

export const schemaColumn = z.strictObject({
  name,
  attnum: z.number().int(),
  /** Place among the living columns, from 1. Information only: order is no difference. */
  position: z.number().int().positive(),
  /** With its modifiers, as the server writes it: `character varying(50)`. */
  type: text,
  notNull: flag,
  default: text.nullable(),
  identity: z.enum(["always", "by default"]).nullable(),
  generated: z.enum(["stored", "virtual"]).nullable(),
  collation: text.nullable(),
  grants: z.array(grant),
  comment,
});
export type SchemaColumn = z.infer<typeof schemaColumn>;

const action = z.enum(["no action", "restrict", "cascade", "set null", "set default"]);

export const schemaConstraint = z.strictObject({
  name,
  oid,
  kind: z.enum(["primary key", "unique", "check", "foreign key", "exclusion"]),
  /** True where the name is the one the server makes up. */
  autoName: flag,
  columns: z.array(name),
  definition: text,
  nullsNotDistinct: flag,
  deferrable: flag,
  initiallyDeferred: flag,
  validated: flag,
  references: z
    .strictObject({
      schema: name,
      table: name,
      oid,
      columns: z.array(name),
      onDelete: action,
      onUpdate: action,
      match: text,
    })
    .nullable(),
  comment,
});
export type SchemaConstraint = z.infer<typeof schemaConstraint>;

export const schemaIndex = z.strictObject({
  name,
  oid,
  autoName: flag,
  method: text,
  unique: flag,
  nullsNotDistinct: flag,
  /** Keys as the server writes them, with operator class and direction where they are not the default. */
  keys: z.array(text),
  include: z.array(name),
  predicate: text.nullable(),
  valid: flag,
  comment,
});
export type SchemaIndex = z.infer<typeof schemaIndex>;

export const schemaTrigger = z.strictObject({ name, oid, definition: text, enabled: text, comment });
export type SchemaTrigger = z.infer<typeof schemaTrigger>;

export const schemaPolicy = z.strictObject({
  name,
  oid,
  permissive: flag,
  command: z.enum(["all", "select", "insert", "update", "delete"]),
  roles: z.array(name),
  using: text.nullable(),
  check: text.nullable(),
  comment,
});
export type SchemaPolicy = z.infer<typeof schemaPolicy>;

export const schemaTable = z.strictObject({
  ...objectHead,
  kind: z.enum(["table", "partitioned table", "foreign table"]),
  persistence: z.enum(["permanent", "unlogged"]),
  partitionKey: text.nullable(),
  partitionOf: z.strictObject({ parent: text, bound: text }).nullable(),
  inherits: z.array(text),
  rowSecurity: z.enum(["off", "on", "forced"]),
  options: z.array(text),
  replicaIdentity: text,
  owner,
  grants: z.array(grant),
  columns: z.array(schemaColumn),
  constraints: z.array(schemaConstraint),
  indexes: z.array(schemaIndex),
  triggers: z.array(schemaTrigger),
  policies: z.array(schemaPolicy),
});
export type SchemaTable = z.infer<typeof schemaTable>;

/** Objects that are compared as a whole: one definition each, as the server writes it. */
const defined = z.strictObject({ ...objectHead, definition: text, grants: z.array(grant) });
export type DefinedObject = z.infer<typeof defined>;

/** The database as its catalogs describe it. Every list is sorted; objects an extension owns are left to the extension. */
export const schemaSnapshot = z.strictObject({
  version: z.literal(1),
  /** Major version of the server. */
  postgres: z.number().int(),
  schemas: z.array(z.strictObject({ name, oid, comment, grants: z.array(grant) })),
  tables: z.array(schemaTable),
  enums: z.array(z.strictObject({ ...objectHead, labels: z.array(text) })),
  domains: z.array(defined),
  composites: z.array(defined),
  ranges: z.array(defined),
  sequences: z.array(
    z.strictObject({ ...objectHead, definition: text, ownedBy: text.nullable(), grants: z.array(grant) }),
  ),
  views: z.array(
    z.strictObject({
      ...objectHead,
      materialised: flag,
      definition: text,
      options: z.array(text),
      /** What is said of each beside what the view shows. */
      columns: z.array(z.strictObject({ name, default: text.nullable(), grants: z.array(grant), comment })).optional(),
      indexes: z.array(schemaIndex),
      triggers: z.array(schemaTrigger),
      owner,
      grants: z.array(grant),
    }),
  ),
  routines: z.array(
    z.strictObject({
      ...objectHead,
      kind: z.enum(["function", "procedure", "aggregate", "window"]),
      arguments: text,
      definition: text,
      owner,
      grants: z.array(grant),
    }),
  ),
  extensions: z.array(z.strictObject({ name, schema: name, version: text })),
  eventTriggers: z.array(z.strictObject({ name, definition: text })),
  publications: z.array(z.strictObject({ name, definition: text })),
  statistics: z.array(defined),
  /** Rules beside those of views, privileges of objects to come, and what else people add: left out where there are none. */
  others: z
    .array(
      z.strictObject({
        kind: z.enum([
          "cast",
          "collation",
          "default privileges",
          "operator",
          "rule",
          "text search configuration",
          "text search dictionary",
        ]),
        /** As the server identifies it: `public.===(integer,integer)`. */
        name: text,
        definition: text,
        comment,
      }),
    )
    .optional(),
  /** Objects that could not be read, and why. */
  unreadable: z.array(z.strictObject({ object: text, reason: text })),
});
export type SchemaSnapshot = z.infer<typeof schemaSnapshot>;
