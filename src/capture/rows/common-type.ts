import type { SchemaColumn } from "../../model/schema.js";
import type { ColumnPair } from "./match.js";

/**
 * Types whose values can be the same although they are spelled differently: `1.50` and `1.5000`, with and without
 * padding. All of them the system's own, and so are the casts: nobody else may make one between them.
 */
const families = {
  number: /^(?:smallint|integer|bigint|numeric(?:\(.*\))?)$/,
  text: /^(?:text|character varying(?:\(\d+\))?|character(?:\(\d+\))?)$/,
  json: /^jsonb?$/,
  moment: /^(?:date|timestamp(?:\(\d\))? with(?:out)? time zone)$/,
};

/** Values of an enum whose labels got other names are told apart by what does not change: the labels' own identity. */
export type Common = keyof typeof families | NonNullable<ColumnPair["relabelled"]>;

/** A column as it is read; with `common` where the other database has another type that holds the same values. */
export type Read = SchemaColumn & { common?: Common };

/** One side of two columns, read so that a type that was changed is not taken for values that were. */
export function readAs({ base, run, relabelled }: ColumnPair, side: "base" | "run"): Read {
  const column = side === "base" ? base : run;
  if (relabelled) return { ...column, common: relabelled };
  if (base.type === run.type) return column;
  const common = (Object.keys(families) as (keyof typeof families)[]).find((each) =>
    [base, run].every(({ type }) => families[each].test(type)),
  );
  return common ? { ...column, common } : column;
}

/** @param value SQL of a column of that family; moments without a zone count as UTC, as the reader's zone is */
export function inCommon(value: string, common: Common): string {
  if (common === "number") return `trim_scale(${value}::numeric)`;
  if (common === "enum") return `hashenumextended(${value}, 0)`;
  if (common === "enums") return `hash_array_extended(${value}, 0)`;
  if (common === "json") return `${value}::jsonb`;
  return `${value}::${common === "text" ? "text" : "timestamp"}`;
}
