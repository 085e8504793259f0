import type { SchemaSnapshot } from "../../model/schema.js";
import type { ColumnPair } from "./match.js";
import { spellings } from "./spellings.js";

type Enum = SchemaSnapshot["enums"][number];

export type Relabelled = Record<"base" | "run", Enum>;

/** Enums that both have and whose labels are not the same ones: a label under another name is the same value still. */
export function relabelledEnums(base: SchemaSnapshot, run: SchemaSnapshot): Relabelled[] {
  return base.enums.flatMap((each) => {
    const now = run.enums.find(({ oid }) => oid === each.oid);
    return now && !isWithin(each.labels, now.labels) ? [{ base: each, run: now }] : [];
  });
}

/** True where labels were added at most: none can be dropped, and their order stays. */
function isWithin(before: readonly string[], after: readonly string[]): boolean {
  let at = 0;
  for (const label of after) if (label === before[at]) at += 1;
  return at === before.length;
}

/** Whether a column of both holds values of such an enum, or lists of them. */
export function relabelledIn(pair: ColumnPair, enums: readonly Relabelled[]): Pick<ColumnPair, "relabelled"> {
  const are = (suffix: string) =>
    enums.some((each) =>
      (["base", "run"] as const).every((side) =>
        spellings(each[side]).some((name) => pair[side].type === name + suffix),
      ),
    );
  return are("") ? { relabelled: "enum" } : are("[]") ? { relabelled: "enums" } : {};
}
