import { squashed } from "../../model/names.js";
import type { Shape, ShapeTable } from "../../model/shape.js";
import { compareText } from "../../model/text.js";
import type { Anchor } from "./agglomerate.js";
import { tokensOf } from "./names.js";
import { hasCounterpart } from "./opposites.js";
import { type Payload, payloadOf } from "./payload.js";
import { bareNames } from "./prefixes.js";
import type { Slots } from "./slots.js";

/** One way in which runs build a table. */
export interface Variant {
  /** Without its schema and its run's prefix. */
  name: string;
  spelling: string;
  tokens: string[];
  payload: Payload;
  /** Whether another table may be its counterpart, as refunds are of payments. */
  hasCounterpart: boolean;
  /** Its own among all variants. */
  number: number;
  /** Ids of what it refers to, itself left out. */
  targets: string[];
}

/** A new table under all names that are already known to be one. */
export interface TableAnchor extends Anchor {
  /** The slot's key. */
  id: string;
  variants: Variant[];
}

/** The most variants one name is represented by, and the most that are compared with one another in all. */
const mostEach = 4;
const mostInAll = 300;

/**
 * The new tables of all runs, equal names as one. Variants are told apart and picked by content, never by how many runs
 * have them, so that a copy of a run moves nothing. Beyond three hundred names only those that most runs use take part.
 */
export function tableAnchors(shapes: readonly Shape[], slots: Slots): TableAnchor[] {
  const found = new Map<string, Map<string, ShapeTable>>();
  for (const table of shapes.flatMap(({ tables }) => tables)) {
    if (!table.isNew) continue;
    const key = slots.key(table.id);
    const variants = found.get(key) ?? new Map<string, ShapeTable>();
    found.set(key, variants.set(contentOf(table), table));
  }
  const each = Math.max(1, Math.min(mostEach, Math.floor(mostInAll / found.size)));
  const names = bareNames(shapes);
  let count = 0;
  const anchors = [...found].map(([id, variants]): TableAnchor => {
    const ordered = [...variants].sort(([a], [b]) => compareText(a, b)).slice(0, each);
    return {
      id,
      key: ordered.map(([content]) => content).join("\n"),
      runs: slots.runs(id),
      holders: slots.holders(id),
      variants: ordered.map(([, table]) => variantOf(table, names.get(table.id) ?? table.name, count++)),
    };
  });
  splitCompounds(anchors.flatMap(({ variants }) => variants));
  if (anchors.length <= mostInAll) return anchors;
  return anchors.sort((a, b) => b.runs - a.runs || compareText(a.key, b.key)).slice(0, mostInAll);
}

/** Of shorter parts a word is put together by chance. */
const shortestPart = 4;

/** `authenticateduser` says `user` as well, where that is what another table is called. */
function splitCompounds(variants: readonly Variant[]): void {
  const heads = new Set(variants.flatMap(({ tokens }) => (tokens.length === 1 ? tokens : [])));
  const parts = (token: string): string[] => {
    const at = [...token].findIndex(
      (_, start) => start >= shortestPart && token.length - start >= shortestPart && heads.has(token.slice(start)),
    );
    return at < 0 ? [token] : [token.slice(0, at), token.slice(at)];
  };
  for (const variant of variants) variant.tokens = [...new Set(variant.tokens.flatMap(parts))].sort();
}

function variantOf(table: ShapeTable, name: string, number: number): Variant {
  const payload = payloadOf(table.columns);
  return {
    name,
    spelling: squashed(name),
    tokens: tokensOf(name),
    payload,
    hasCounterpart: hasCounterpart(name),
    number,
    targets: [...new Set(table.references.map(({ target }) => target))].filter((target) => target !== table.id),
  };
}

function contentOf({ id, columns, references }: ShapeTable): string {
  const held = columns.map(({ name, family, payload }) => JSON.stringify([name, family, payload])).sort();
  const led = references.map(({ columns: from, target }) => JSON.stringify([from, target])).sort();
  return JSON.stringify([held, led, id]);
}
