import { quote } from "./words.js";

/** A column's type in parts: what it holds, and how the server is told to hold it. */
export interface ColumnType {
  /** What it holds, comparable and in plain words: `text`, `exact number`, `list of text`. */
  family: string;
  /** The same as labels show it. */
  label: string;
  /** The type of one value, without the brackets of a list: `character varying(10)`. */
  item: string;
}

const families: readonly (readonly [string, RegExp])[] = [
  ["text", /^(?:text|(?:character varying|character|bpchar|(?:[\w$]+\.)?citext)(?:\(\d+\))?)$/],
  ["integer", /^(?:smallint|integer|bigint)$/],
  ["exact number", /^numeric(?:\(-?\d+,-?\d+\))?$/],
  ["floating-point number", /^(?:real|double precision)$/],
  ["timestamp without time zone", /^timestamp(?:\(\d+\))? without time zone$/],
  ["timestamp with time zone", /^timestamp(?:\(\d+\))? with time zone$/],
  ["time of day", /^time(?:\(\d+\))? without time zone$/],
  ["time of day with time zone", /^time(?:\(\d+\))? with time zone$/],
  ["bits", /^bit(?: varying)?(?:\(\d+\))?$/],
  ["json", /^jsonb?$/],
  ["bytes", /^bytea$/],
];
const plain = /^(?:boolean|date|uuid|interval|money)$/;

/**
 * The family of a type as the server writes it. Widths, lengths and precision are no part of it: they are facts of their
 * own. A type of no family (a domain, an address, a range) is its own, without its modifiers.
 */
export function typeOf(type: string): ColumnType {
  const seen = known.get(type);
  if (seen) return seen;
  const read = readType(type);
  if (known.size < mostKnown) known.set(type, read);
  return read;
}

/** Few types stand in many columns; what a run makes up beyond these is read each time. */
const known = new Map<string, ColumnType>();
const mostKnown = 1_000;

function readType(type: string): ColumnType {
  const [, item = type, brackets = ""] = /^(.*?)((?:\[\])*)$/.exec(type) ?? [];
  const own = item.replace(/\s*\([^()]*\)/, "");
  const named = families.find(([, spelling]) => spelling.test(item))?.[0];
  const family = named ?? own;
  const label = named !== undefined || plain.test(own) ? family : quote(own);
  if (brackets === "") return { family, label, item };
  return { family: `list of ${family}`, label: `list of ${label}`, item };
}

export function familyOf(type: string): string {
  return typeOf(type).family;
}

export function isTimestamp(type: string): boolean {
  return familyOf(type).startsWith("timestamp");
}
