import type { Convention, RunArtifacts } from "../model/fact.js";
import { stemsOf } from "../model/names.js";
import { coded, codesOf } from "./codes.js";
import { familyOf, typeOf } from "./families.js";
import { isLookUp } from "./look-up.js";
import type { MatchedColumn, MatchedSchema, MatchedTable } from "./matching.js";
import type { Statements } from "./statement.js";
import { referenceWidth, typeDetails, widerThan } from "./type-details.js";
import { quote } from "./words.js";

/** A new column in its table, with the tables its foreign keys lead to. */
export interface NewColumn {
  column: MatchedColumn;
  table: MatchedTable;
  matched: MatchedSchema;
  targets: MatchedTable[];
  run: RunArtifacts;
}

/** The type, or for columns of coded values how the values are held. The type of a foreign key is that of its key. */
export function columnType(statements: Statements, each: NewColumn): void {
  const { column, targets, run } = each;
  const name = quote(column.name);
  const about = { slot: column.slot, subject: name };
  const asked = { title: `What type is ${name}?`, topic: `type of ${name}` };
  const codes = codesOf(each);
  const listed = targets.find((target) => isLookUp(target, run));
  const keys = keyTypesOf(each);
  if (codes) coded(statements, each, codes);
  else if (listed) {
    const label = `a look-up table, ${quote(listed.name)}`;
    statements.of(about, { aspect: "type", value: "look-up table", label, ...asked, weight: 2, links: [listed.slot] });
  } else if (keys.length > 0) unlikeKey(statements, column, keys);
  else {
    const { family, label } = typeOf(column.column.type);
    const habit = habits.get(family);
    statements.of(about, {
      aspect: "type",
      value: family,
      label,
      title: asked.title,
      topic: asked.topic,
      weight: habit?.of === zones ? 0.5 : 2,
      convention: habit,
    });
    typeDetails(statements, column, about);
  }
}

const zones = "time type";

/**
 * Whether times know their zone, and whether numbers with a fraction (amounts of money) are exact, are habits of whoever
 * writes; that a column holds times or numbers is not.
 */
const habits = new Map([
  ...["with time zone", "without time zone"].map((label): [string, Convention] => {
    const about = { title: "Do times have a time zone?", topic: "time zone of times", family: "timestamp" };
    return [`timestamp ${label}`, { of: zones, ...about, value: label, label }];
  }),
  ...["exact number", "floating-point number"].map((label): [string, Convention] => {
    const about = { title: "How are numbers with a fraction held?", topic: "numbers with a fraction" };
    return [label, { of: "number type", ...about, family: "number with a fraction", value: label, label }];
  }),
]);

/** A column that holds keys speaks only where it is unlike them: of another family, or of another width. */
function unlikeKey(statements: Statements, { column, slot, name: dotted }: MatchedColumn, keys: string[]): void {
  const name = quote(dotted);
  const { family, label, item } = typeOf(column.type);
  const about = { slot, subject: name };
  const alike = keys.filter((key) => familyOf(key) === familyOf(item));
  if (alike.length === 0) {
    statements.of(about, {
      aspect: "type",
      value: family,
      label,
      absentLabel: "like the key",
      title: `What type is ${name}?`,
      topic: `type of ${name}`,
      weight: 2,
    });
    return;
  }
  const steps = alike.map((key) => widerThan(item, key));
  if (!steps.includes(0)) statements.of(about, referenceWidth(item, name, steps[0] ?? 0));
}

/**
 * The types of the keys a column holds: by its foreign key, or where it has none by its name (`owner_id`, `sensor_ids`).
 * A name that is no table's tells as much where the column is of the type that the run's ids are of. None where it holds no
 * keys.
 */
function keyTypesOf({ column: { column }, table, matched, targets }: NewColumn): string[] {
  const key = table.table.constraints.find(({ kind, columns }) => kind === "foreign key" && columns[0] === column.name);
  const target = targets[0];
  if (key?.references && target) {
    const to = key.references.columns[0];
    const type = target.table.columns.find(({ name }) => name === to)?.type;
    return [key.columns.length > 1 || type === undefined ? column.type : type];
  }
  if (!/(?:_ids?|[a-z]Ids?)$/.test(column.name)) return [];
  const stems = stemsOf(column.name);
  const keyed = matched.tables.map(keyOf);
  const named = keyed.filter((each) => isSubset(stems, each.stems) && stems.size > 0);
  const types = named.flatMap(({ type }) => type ?? []);
  if (types.length > 0) return types;
  const { family } = typeOf(typeOf(column.type).item);
  return keyed.flatMap(({ type, isGenerated }) =>
    isGenerated && type !== undefined && family !== "text" && familyOf(type) === family ? [type] : [],
  );
}

function isSubset(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every((each) => whole.has(each));
}

interface Key {
  /** What the table is about. */
  stems: ReadonlySet<string>;
  type: string | undefined;
  isGenerated: boolean;
}

/** Every column that may hold keys asks all tables. */
const keys = new WeakMap<MatchedTable, Key>();

function keyOf(matched: MatchedTable): Key {
  const known = keys.get(matched);
  if (known) return known;
  const { name, table, generatedKey } = matched;
  const key = table.constraints.find(({ kind, columns }) => kind === "primary key" && columns.length === 1);
  const column = generatedKey ?? key?.columns[0];
  const type = table.columns.find((each) => each.name === column)?.type;
  const read = { stems: stemsOf(name), type, isGenerated: generatedKey !== undefined };
  keys.set(matched, read);
  return read;
}
