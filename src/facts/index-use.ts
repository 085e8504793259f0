import type { SchemaIndex } from "../model/schema.js";
import type { MatchedColumn, MatchedTable } from "./matching.js";
import { qualified } from "./matching.js";
import { unwrapped } from "./spelling.js";

/** One key of an index, taken apart. */
export interface IndexKey {
  /** The column it is, or those its expression speaks of. */
  columns: MatchedColumn[];
  /** The column's own name, or the expression. */
  text: string;
  isColumn: boolean;
  /** Operator class, its parameters, direction: what stands behind the column. */
  traits: string;
}

/** What an index finds beyond equal and ordered values, and the extension that makes it possible. */
export interface Finding {
  finds: string;
  extension?: string;
}

interface Kind extends Finding {
  /** By operator class, which is named only where it is not the type's own. */
  traits?: RegExp;
  text?: RegExp;
  /** By the type of the column. */
  type?: RegExp;
  method?: RegExp;
}

// https://www.postgresql.org/docs/current/indexes-types.html and the operator classes of the usual extensions.
const kinds: readonly Kind[] = [
  { finds: "trigrams", extension: "pg_trgm", traits: /(?:gin|gist)_trgm_ops\b/ },
  { finds: "full text", text: /\bto_tsvector\(/ },
  { finds: "full text", type: /^tsvector$/ },
  { finds: "near vectors", extension: "vector", method: /^(?:hnsw|ivfflat)$/ },
  { finds: "prefixes", traits: /\b(?:text|varchar|bpchar)_pattern_ops\b/ },
  { finds: "places", type: /^(?:geometry|geography|point|box|polygon|circle|path|line|lseg)\b/ },
  { finds: "ranges", type: /(?:range)$/, method: /^(?:sp)?gist$/ },
  { finds: "what lists hold", type: /\[\]$|^jsonb$/, method: /^gin$/ },
  { finds: "single values", extension: "btree_gin", method: /^gin$/ },
  { finds: "single values", extension: "btree_gist", method: /^gist$/ },
];

/** What a search index is for, by the first of its keys that says so; undefined for one that only looks values up. */
export function findingOf({ method }: SchemaIndex, keys: readonly IndexKey[]): Finding | undefined {
  const found = kinds.find((kind) => keys.some((key) => isOf(kind, key, method)));
  if (found !== undefined) return found;
  const isPlain = /^(?:btree|hash|brin)$/.test(method);
  return isPlain ? undefined : { finds: "values" };
}

function isOf(kind: Kind, { columns, text, isColumn, traits }: IndexKey, method: string): boolean {
  const [column] = isColumn ? columns : [];
  return (
    (kind.traits?.test(traits) ?? true) &&
    (kind.text === undefined || (!isColumn && kind.text.test(text))) &&
    (kind.type === undefined || (column !== undefined && kind.type.test(column.column.type))) &&
    (kind.method?.test(method) ?? true)
  );
}

const keyForm = /^("(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)(?= |$)(.*)$/u;
const opclassForm = / (?:[\w$"]+\.)?\w+_ops(?: \([^)]*\))?(?: DESC| NULLS (?:FIRST|LAST))*$/;

/** The keys as the server writes them: column or expression, then what is said about it. */
export function keysOf({ keys }: SchemaIndex, table: MatchedTable): IndexKey[] {
  return keys.map((key) => {
    const [, name, rest = ""] = keyForm.exec(key) ?? [];
    const column = table.columns.find(({ column: each }) => each.name === key || isNamed(each.name, name));
    if (column) {
      const traits = column.column.name === key ? "" : rest.trim();
      return { columns: [column], text: column.column.name, isColumn: true, traits };
    }
    const traits = opclassForm.exec(key)?.[0] ?? "";
    const text = unwrapped(key.slice(0, key.length - traits.length));
    return { columns: spokenOf(text, table), text, isColumn: false, traits: traits.trim() };
  });
}

function isNamed(column: string, text: string | undefined): boolean {
  return text !== undefined && (qualified(column) === text || `"${column.replaceAll('"', '""')}"` === text);
}

/** Columns by the words of an expression, text in quotes left out. */
function spokenOf(expression: string, table: MatchedTable): MatchedColumn[] {
  const words = expression.replaceAll(/'(?:[^']|'')*'/g, "").match(/"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*/gu) ?? [];
  return table.columns.filter(({ column }) => words.some((word) => isNamed(column.name, word)));
}
