import type { Fact } from "../model/fact.js";
import type { SchemaConstraint, SchemaTable } from "../model/schema.js";
import { columnsNamed, type MatchedTable, ofBase, parentsOf, qualified } from "./matching.js";
import { onlyNotNull } from "./new-column.js";
import { isPair } from "./pairs.js";
import { sameRelation } from "./relations.js";
import { schemaExtractor } from "./schema.js";
import { checkSpelling, waitingOf } from "./spelling.js";
import type { Statements } from "./statement.js";
import { valueList } from "./values.js";
import { quote, quoteList } from "./words.js";

/** What may not be twice, what a value must satisfy, and rules of base that are gone. */
export const constraints = schemaExtractor((statements, matched) => {
  for (const table of matched.tables) {
    uniqueness(statements, table);
    checks(statements, table);
    droppedRules(statements, table, matched.clone);
    changedKeys(statements, table);
  }
});

/** One column set each, whether key, constraint or index keeps it unique; what base had is left out. */
function uniqueness(statements: Statements, table: MatchedTable): void {
  const known = new Set(table.base ? uniqueSets(table.base).map((set) => set.join("\0")) : []);
  const key = table.generatedKey;
  const sets = new Map(uniqueSets(table.table).map((set) => [set.join("\0"), set]));
  for (const [id, set] of sets) {
    if (known.has(id) || (set.length === 1 && set[0] === key)) continue;
    const rule = uniqueRule(table, set);
    statements.present({ ...rule, label: "yes", absentLabel: "no", weight: 2 });
    uniqueTraits(statements, table, { set, rule });
  }
}

/** A pair is unique whatever its columns are called, so its rule hangs on the table and not on them. */
function uniqueRule(table: MatchedTable, set: readonly string[]) {
  const names = quoteList(set);
  const name = quote(table.name);
  if (isPair(table, set)) {
    const subject = `each pair in ${name}`;
    return {
      slot: `unique pair ${table.slot}`,
      parents: [table.slot],
      title: `Is ${subject} unique?`,
      topic: `unique rule on ${subject}`,
      subject,
    };
  }
  const subject = set.length === 1 ? quote(`${table.name}.${set[0]}`) : `${names} of ${name}`;
  return {
    slot: `unique ${table.slot} ${qualified(...set)}`,
    parents: parentsOf(table, columnsNamed(table, set)),
    title: set.length === 1 ? `Is ${subject} unique?` : `Are ${names} together unique in ${name}?`,
    topic: `unique rule on ${subject}`,
    subject,
  };
}

/** How the rule is kept, in so far as that is not as usual: late, and for empty values too. */
function uniqueTraits(statements: Statements, { table }: MatchedTable, { set, rule }: UniqueSet): void {
  const { slot, subject } = rule;
  const isOn = (parts: readonly string[]) => [...parts].sort().join("\0") === set.join("\0");
  const keys = table.constraints.filter(({ kind, columns }) => isKey(kind) && isOn(columns));
  const indexes = table.indexes.filter((index) => index.unique && index.valid && isOn(index.keys.map(bare)));
  const about = { slot, parents: [slot], subject, weight: 0.5 as const };
  const [first] = keys;
  // One rule that holds at once decides, and an index always does.
  if (first && indexes.length === 0 && keys.every(({ deferrable }) => deferrable)) {
    statements.add({
      ...about,
      aspect: "time of checking",
      ...waitingOf(first),
      absentLabel: "no",
      title: `Is it checked late that ${subject} is unique?`,
      topic: `late check of the unique rule on ${subject}`,
    });
  }
  if (![...keys, ...indexes].some(({ nullsNotDistinct }) => nullsNotDistinct)) return;
  statements.add({
    ...about,
    aspect: "empty values",
    value: "alike",
    label: "yes (`NULLS NOT DISTINCT`)",
    absentLabel: "no",
    title: `Are two empty values of ${subject} refused?`,
    topic: `empty values under the unique rule on ${subject}`,
  });
}

interface UniqueSet {
  set: readonly string[];
  rule: { slot: string; subject: string };
}

function isKey(kind: SchemaConstraint["kind"]): boolean {
  return kind === "primary key" || kind === "unique";
}

/** Column sets and expressions without duplicates, each sorted; a partial index counts with its predicate. */
export function uniqueSets(table: SchemaTable): string[][] {
  const keys = table.constraints.filter(({ kind }) => isKey(kind));
  const indexes = table.indexes.filter(({ unique, valid }) => unique && valid);
  return [
    ...keys.map(({ columns }) => [...columns].sort()),
    ...indexes.map(({ keys, predicate }) => [...keys.map(bare).sort(), ...(predicate ? [`where ${predicate}`] : [])]),
  ];
}

/** An index key that is a quoted column, as the name constraints use. */
function bare(key: string): string {
  return /^"(?:[^"]|"")+"$/.test(key) ? key.slice(1, -1).replaceAll('""', '"') : key;
}

/** Checks on one set of columns are one question, whatever their number and names. */
function checks(statements: Statements, table: MatchedTable): void {
  for (const { columns, texts, validated } of checkedSets(table)) {
    const value = texts.sort().join(" and ");
    const subject =
      columns.length === 1 ? quote(`${table.name}.${columns[0]}`) : `${quoteList(columns)} of ${quote(table.name)}`;
    const slot = `check ${table.slot} ${qualified(...columns)}`;
    const parents = parentsOf(table, columnsNamed(table, columns));
    statements.add({
      slot,
      parents,
      aspect: "rule",
      value,
      label: quote(value),
      absentLabel: "nothing",
      title: `What does a check demand of ${subject}?`,
      topic: `check on ${subject}`,
      subject,
      weight: 2,
      links: ["theme check"],
      ladder: {
        of: `check ${table.slot}`,
        title: `Does a check guard … of ${quote(table.name)}?`,
        wideTitle: "Does a check guard …?",
        step: quoteList(columns),
      },
    });
    if (!validated) unchecked(statements, { slot, parents, subject: `check on ${subject}` });
  }
}

/** New checks by the columns they are about; lists of values and NOT NULL are told as type and nullability. */
function checkedSets(table: MatchedTable) {
  const known = new Set(table.base?.constraints.map(({ definition }) => checkSpelling(definition)));
  const rules = new Map<string, { columns: string[]; texts: string[]; validated: boolean }>();
  for (const each of table.table.constraints) {
    const text = checkSpelling(each.definition);
    if (each.kind !== "check" || known.has(text) || isTold(table, each)) continue;
    const columns = [...each.columns].sort();
    const rule = rules.get(columns.join("\0")) ?? { columns, texts: [], validated: true };
    rule.texts.push(text);
    rule.validated &&= each.validated;
    rules.set(columns.join("\0"), rule);
  }
  return rules.values();
}

/** True where a column's own facts tell what the check demands: not to be null, or one of a new column's values. */
function isTold(table: MatchedTable, { columns, definition }: SchemaConstraint): boolean {
  const [column] = columnsNamed(table, columns);
  if (column === undefined || columns.length !== 1) return false;
  return onlyNotNull(definition) || (column.base === null && valueList(definition) !== undefined);
}

function unchecked(
  statements: Statements,
  { slot, parents, subject }: Pick<Fact, "slot" | "parents" | "subject">,
): void {
  statements.add({
    slot,
    parents,
    aspect: "validity",
    value: "not valid",
    label: "yes (`NOT VALID`)",
    absentLabel: "no",
    title: `Are rows from before exempt from the ${subject}?`,
    topic: `rows from before exempt from the ${subject}`,
    subject,
    weight: 1,
  });
}

/** Rules of base that neither the same constraint nor an equal one keeps. */
function droppedRules(statements: Statements, matched: MatchedTable, clone: boolean): void {
  const { table, base, name, slot, droppedColumns } = matched;
  const gone = new Set(droppedColumns.map((column) => column.name));
  for (const old of base?.constraints ?? []) {
    if (
      old.columns.some((column) => gone.has(column)) ||
      (old.kind === "check" && onlyNotNull(old.definition)) ||
      table.constraints.some((each) => (clone && each.oid === old.oid) || sameRule(each, old))
    )
      continue;
    const subject = old.columns.length > 0 ? `${quoteList(old.columns)} of ${quote(name)}` : quote(name);
    statements.present({
      slot: `dropped ${old.kind} ${slot} ${qualified(...old.columns)} ${checkSpelling(old.definition)}`,
      parents: ofBase(matched),
      title: `What becomes of the ${old.kind} on ${subject}?`,
      topic: `${old.kind} on ${subject}`,
      subject,
      label: "dropped",
      absentLabel: "kept",
      weight: 2,
      risk: { kind: "consequence", text: "the database no longer enforces it" },
    });
  }
}

export function sameRule(now: SchemaConstraint, old: SchemaConstraint): boolean {
  if (now.kind !== old.kind) return false;
  if (checkSpelling(now.definition) === checkSpelling(old.definition)) return true;
  return isKey(now.kind) ? sameSet(now.columns, old.columns) : sameRelation(now, old);
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return [...one].sort().join("\0") === [...other].sort().join("\0");
}

/** Keys and unique rules of base that stay, and say something else about the same columns. */
function changedKeys(statements: Statements, matched: MatchedTable): void {
  const { table, base, name } = matched;
  for (const old of base?.constraints ?? []) {
    const now = table.constraints.find((each) => each.kind === old.kind && sameSet(each.columns, old.columns));
    if (now === undefined || !isKey(old.kind)) continue;
    const subject = `${quoteList([...old.columns].sort())} of ${quote(name)}`;
    const change = (aspect: string, label: string, weight: 2 | 0.5) =>
      statements.add({
        slot: `${old.kind} ${matched.slot} ${qualified(...[...old.columns].sort())}`,
        parents: ofBase(matched),
        aspect,
        value: label,
        label,
        absentLabel: "as before",
        title: `What happens to the ${old.kind} on ${subject}?`,
        topic: `${aspect} of the ${old.kind} on ${subject}`,
        subject,
        weight,
      });
    if (now.columns.join("\0") !== old.columns.join("\0")) change("order", quoteList(now.columns), 0.5);
    if (now.nullsNotDistinct !== old.nullsNotDistinct) {
      change("empty values", now.nullsNotDistinct ? "two are refused now" : "any number may stand there now", 2);
    }
    if (now.deferrable !== old.deferrable || now.initiallyDeferred !== old.initiallyDeferred) {
      change("time of checking", now.deferrable ? "late, where it is asked for" : "at once", 0.5);
    }
  }
}
