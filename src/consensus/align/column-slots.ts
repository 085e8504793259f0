import { groupBy } from "../../model/groups.js";
import { squashed, stemsOf } from "../../model/names.js";
import { compareText } from "../../model/text.js";
import { type Anchor, agglomerate } from "./agglomerate.js";
import type { Field, Home } from "./fields.js";
import { isGeneric, NameLikeness } from "./names.js";
import { areOpposed } from "./opposites.js";
import { familyLikeness, plainFamily } from "./payload.js";
import type { Slots } from "./slots.js";
import { type ScoredPair, threshold } from "./table-slots.js";

interface ColumnAnchor extends Anchor {
  id: string;
  variants: Field[];
}

const mostVariants = 4;
/** The most a generic column reaches with one that is not: below what is merged. */
const mostGeneric = 0.4;
/** Below it two names are unlike, and two columns at most so alike: what they refer to and hold is often the same by chance. */
const alikeNames = 0.35;
const mostUnlike = 0.45;

/** Which new columns of one table are the same under unlike names. */
export function findColumns({ fields }: Home, slots: Slots, likeness: Likeness): ScoredPair[] {
  const bySlot = groupBy(fields, ({ column }) => slots.key(column.id));
  const anchors = [...bySlot].map(([id, each]): ColumnAnchor => {
    const variants = [...new Map(each.map((field) => [contentOf(field), field]))]
      .sort(([a], [b]) => compareText(a, b))
      .slice(0, mostVariants);
    return {
      id,
      key: `${variants.map(([content]) => content).join("\n")}\n${id}`,
      runs: slots.runs(id),
      holders: slots.holders(id),
      variants: variants.map(([, field]) => field),
    };
  });
  const joinings = agglomerate(anchors, {
    threshold,
    likeness: (one, other) => {
      const scores = one.variants.flatMap((a) => other.variants.map((b) => likeness(a, b)));
      return scores.reduce((sum, score) => sum + score, 0) / scores.length;
    },
  });
  return joinings.map(({ one, other, score }) => ({ one: one.id, other: other.id, score }));
}

function contentOf({ column, own, target }: Field): string {
  return JSON.stringify([column.name, own, column.family, target ?? null, column.generatedKey]);
}

export type Likeness = (one: Field, other: Field) => number;

/** How much speaks for two columns of one table being one: .45 name, .35 what they refer to, .20 type family. */
export function columnLikeness(isNew: (slot: string) => boolean): Likeness {
  const names = new NameLikeness();
  return (one, other) => {
    if (one.column.generatedKey && other.column.generatedKey) return 1;
    if (areOpposed(one.column.name, other.column.name)) return 0;
    const reference = referenceLikeness(one.target, other.target, isNew);
    if (reference === undefined) return 0;
    const type = familyLikeness(plainFamily(one.column), plainFamily(other.column));
    const name = nameLikeness(one, other, names);
    const score = 0.45 * name + 0.35 * reference + 0.2 * type;
    if (isGeneric(one.column.name) !== isGeneric(other.column.name)) return Math.min(score, mostGeneric);
    const isApart = name < alikeNames || (type === 0 && !areSaidAlike(one, other));
    return isApart ? Math.min(score, mostUnlike) : score;
  };
}

/** Of unlike types, only columns of the very same words can be one: `orders.order` is a text and `orders.orderdate` a time. */
function areSaidAlike(one: Field, other: Field): boolean {
  if (one.target !== undefined && one.target === other.target) return true;
  const [left, right] = [one, other].map(({ column }) => [...stemsOf(column.name)].sort().join(" "));
  return left === right || squashed(one.column.name) === squashed(other.column.name);
}

/** Two that are both called after what they refer to and where they stand are called the same. */
function nameLikeness(one: Field, other: Field, names: NameLikeness): number {
  const whole = names.of(one.column.name, other.column.name);
  if (one.own !== "" && other.own !== "") return Math.max(whole, names.of(one.own, other.own));
  const alike = one.target !== undefined && one.target === other.target;
  return one.own === other.own && alike ? 1 : whole;
}

/** Undefined for two tables of base, which are surely two. */
function referenceLikeness(
  one: string | undefined,
  other: string | undefined,
  isNew: (slot: string) => boolean,
): number | undefined {
  if (one === undefined && other === undefined) return 0.5;
  if (one === undefined || other === undefined) return 0.2;
  if (one === other) return 1;
  return isNew(one) || isNew(other) ? 0 : undefined;
}
