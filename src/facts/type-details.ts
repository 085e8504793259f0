import type { Convention, Fact } from "../model/fact.js";
import { familyOf, typeOf } from "./families.js";
import type { MatchedColumn } from "./matching.js";
import type { Place, Statements } from "./statement.js";
import { counted, quote } from "./words.js";

type Detail = Pick<Fact, "aspect" | "value" | "label" | "title" | "topic" | "weight"> &
  Partial<Pick<Fact, "absentLabel" | "convention" | "links" | "quiet" | "risk">>;

/** What differs between types of one family: each is a small fact of its own, asked only of those who have that family. */
export function typeDetails(statements: Statements, { column }: MatchedColumn, place: Place): void {
  for (const detail of detailsOf(column.type, column.collation, place.subject)) statements.of(place, detail);
}

function detailsOf(type: string, collation: string | null, name: string): Detail[] {
  const { item } = typeOf(type);
  switch (familyOf(item)) {
    case "text":
      return textDetails(item, collation, name);
    case "integer":
      return [width(item, name, integerWidths.get(item))];
    case "floating-point number":
      return [width(item, name)];
    case "exact number":
      return [precision(item, name)];
    case "timestamp without time zone":
    case "timestamp with time zone":
      return exactness(item, name);
    case "json":
      return [{ ...spelled("form", item), title: `In which form is ${name} kept?`, topic: `form of ${name}` }];
    default:
      return [];
  }
}

/** How many digits stand after the point is a habit; how many before it says only how large a number may grow. */
function precision(item: string, name: string): Detail {
  const digits = /,(-?\d+)\)$/.exec(item)?.[1];
  const label = digits === undefined ? "any number of digits" : `${counted(Number(digits), "digit")} after the point`;
  const about = { title: "How many digits stand after the point?", topic: "digits after the point" };
  return {
    ...spelled("precision", item),
    title: `How precise is ${name}?`,
    topic: `precision of ${name}`,
    convention: { of: "digits after the point", ...about, value: label, label },
  };
}

/** Lower is narrower. */
const widths = ["smallint", "integer", "bigint"];

/** How much wider a type is than another, in steps; 0 where they are alike or no integers. */
export function widerThan(type: string, other: string): number {
  return familyOf(type) === "integer" && familyOf(other) === "integer"
    ? widths.indexOf(type) - widths.indexOf(other)
    : 0;
}

function spelled(aspect: string, value: string): Pick<Detail, "aspect" | "value" | "label" | "weight"> {
  return { aspect, value, label: quote(value), weight: 0.5 };
}

export function width(item: string, name: string, convention?: Convention): Detail {
  return {
    aspect: "width",
    value: item,
    label: quote(item),
    title: `How wide is ${name}?`,
    topic: `width of ${name}`,
    weight: 0.5,
    convention,
  };
}

/** One object per width: there may be a column of it in every line of every run. */
const integerWidths = new Map(
  widths.map((value): [string, Convention] => {
    const about = { title: "How wide are integers?", topic: "width of integers" };
    return [value, { of: "integer width", ...about, value, label: quote(value) }];
  }),
);

/** A reference that is so many steps wider than the integer keys it holds, or narrower where that is below 0. */
export function referenceWidth(item: string, name: string, steps: number): Detail {
  const narrower = steps < 0;
  return {
    ...width(item, name),
    label: `${quote(item)}, ${narrower ? "narrower" : "wider"} than the key`,
    absentLabel: "like the key",
    weight: narrower ? 2 : 0.5,
    risk: narrower ? { kind: "consequence", text: "later keys do not fit" } : null,
  };
}

/** A length counts in characters; without one, `text` and `varchar` hold the same. */
function textDetails(item: string, collation: string | null, name: string): Detail[] {
  const limit = /\((\d+)\)$/.exec(item)?.[1];
  const details: Detail[] = [lengthOf(limit, name)];
  if (/^(?:character\(|bpchar)/.test(item) && limit !== "1") {
    details.push({
      aspect: "padding",
      value: "padded",
      label: "filled up with blanks",
      absentLabel: "kept as they are",
      title: `Are values of ${name} filled up with blanks?`,
      topic: `blanks at the end of ${name}`,
      weight: 0.5,
    });
  }
  const about = { title: `How are values of ${name} compared?`, topic: `comparison of ${name}` };
  const absentLabel = "as the database does";
  if (item.endsWith("citext")) {
    details.push({ aspect: "collation", value: "citext", label: "without case", absentLabel, ...about, weight: 2 });
  } else if (collation !== null) {
    details.push({
      aspect: "collation",
      value: collation,
      label: `by collation ${quote(collation)}`,
      absentLabel,
      ...about,
      weight: 0.5,
    });
  }
  return details;
}

function lengthOf(limit: string | undefined, name: string): Detail {
  return {
    aspect: "length",
    value: limit ?? "none",
    label: limit === undefined ? "any length" : `at most ${counted(Number(limit), "character")}`,
    title: `How long may ${name} be?`,
    topic: `length limit of ${name}`,
    weight: 0.5,
    quiet: true,
    links: lengthTheme,
    convention: limit === undefined ? unlimited : limited,
  };
}

/** Shared, and never written to. */
const lengthTheme = ["theme length"];
const strings = { of: "string type", title: "What type are strings?", topic: "type of strings" };
const limited: Convention = { ...strings, value: "limited", label: "`varchar(n)`" };
const unlimited: Convention = { ...strings, value: "unlimited", label: "`text`" };

/** Six digits behind the second are what the server keeps where nobody says otherwise. */
function exactness(item: string, name: string): Detail[] {
  const digits = /\((\d)\)/.exec(item)?.[1] ?? "6";
  if (digits === "6") return [];
  const label = exact.get(digits) ?? `to ${digits} digits behind the second`;
  const about = { title: `How exact is ${name}?`, topic: `precision of ${name}` };
  return [{ aspect: "precision", value: digits, label, absentLabel: "to the microsecond", ...about, weight: 0.5 }];
}

const exact = new Map([
  ["0", "to the second"],
  ["3", "to the millisecond"],
]);
