import { connected } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import type { Shape, ShapeColumn, ShapeReference, ShapeTable } from "../../model/shape.js";

/** New tables of one run that hang together by references, with the columns of base's tables that lead to them. */
export interface Cluster {
  run: RunId;
  tables: ShapeTable[];
}

/** Equal for tables and columns, by id, that are alike in everything but their names and those of what is new around them. */
export type Colours = ReadonlyMap<string, number>;

/**
 * Colours clusters. Most are built as another one is, but for their names: what goes into a colour is the same then, and
 * only the first of them is refined.
 */
export function painter(): (cluster: Cluster) => Colours {
  const intern = interner();
  const known = new Map<string, Colours>();
  return (cluster) => {
    const nodes = nodesOf(cluster);
    const places = new Map([...nodes].map((id, at) => [id, `${at}`]));
    const build = tell(cluster, (id) => places.get(id) ?? id);
    const before = known.get(build);
    if (before) {
      const colours = [...before.values()];
      return new Map([...nodes].map((id, at) => [id, colours[at] ?? -1]));
    }
    const colours = coloursOf(cluster, intern);
    known.set(build, colours);
    return colours;
  };
}

/** What has a colour, in the order it is held. */
function nodesOf({ tables }: Cluster): Set<string> {
  return new Set(
    tables.flatMap(({ id, isNew, columns }) => [...(isNew ? [id] : []), ...columns.map((each) => each.id)]),
  );
}

/** Gives every text a number: what is compared often is compared fast. The numbers mean nothing. */
type Intern = (text: string) => number;

function interner(): Intern {
  const numbers = new Map<string, number>();
  return (text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}

/** The clusters of a run. What is new and leads to nothing new (a text column on a table of base) is in none of them. */
export function clustersOf({ run, tables }: Shape): Cluster[] {
  const fresh = new Set(tables.filter(({ isNew }) => isNew).map(({ id }) => id));
  const edges = tables.flatMap((table): [string, string][] => [
    ...(table.isNew ? [[table.id, table.id] as [string, string]] : []),
    ...table.references.flatMap(({ target, columns }) =>
      edgesOf(table, target, columns).filter(([, to]) => fresh.has(to)),
    ),
  ]);
  return connected(edges).map((nodes) => ({ run, tables: tables.flatMap((table) => partOf(table, nodes) ?? []) }));
}

/** A table of base joins nothing: only its columns do. */
function edgesOf(table: ShapeTable, target: string, columns: readonly string[]): [string, string][] {
  if (table.isNew) return [[table.id, target]];
  const own = new Set(table.columns.map(({ id }) => id));
  return columns.filter((id) => own.has(id)).map((id) => [id, target]);
}

function partOf(table: ShapeTable, nodes: ReadonlySet<string>): ShapeTable | undefined {
  if (table.isNew) return nodes.has(table.id) ? table : undefined;
  const columns = table.columns.filter(({ id }) => nodes.has(id));
  const references = table.references.filter(({ target }) => nodes.has(target));
  if (columns.length + references.length === 0) return undefined;
  const concerns = (ids: readonly string[]) => ids.some((id) => nodes.has(id));
  return { ...table, columns, references, rules: table.rules.filter((rule) => concerns(rule.columns)) };
}

/**
 * Colour refinement (1-dimensional Weisfeiler-Leman; B. Weisfeiler and A. Leman, 1968): a node's colour takes in those of
 * its neighbours until no further nodes can be told apart. Linear per round, and no name of anything new goes in.
 */
function coloursOf({ tables }: Cluster, intern: Intern): Colours {
  let colours = new Map<string, number>();
  // In the order of its nodes.
  for (const { id, isNew, nature, columns } of tables) {
    if (isNew) colours.set(id, intern(`table ${nature}`));
    for (const column of columns) colours.set(column.id, intern(`column ${isNew ? "" : id} ${column.family}`));
  }
  const ties = tables.flatMap(tiesOf);
  for (let before = 0, now = new Set(colours.values()).size; now > before; ) {
    const colourOf = (id: string) => String(colours.get(id) ?? id);
    const around = new Map([...colours.keys()].map((id): [string, string[]] => [id, []]));
    for (const { ends, words } of ties) {
      const text = words(colourOf);
      for (const [id, place] of ends(colourOf)) around.get(id)?.push(`${place} ${text}`);
    }
    colours = new Map([...colours].map(([id, own]) => [id, intern(`${own}|${around.get(id)?.sort().join("|")}`)]));
    before = now;
    now = new Set(colours.values()).size;
  }
  return colours;
}

/** What ties nodes together, and each node's place in it; told in the colours of the moment. */
interface Tie {
  words(colourOf: (id: string) => string): string;
  ends(colourOf: (id: string) => string): [id: string, place: string][];
}

function tiesOf({ id, columns, rules, references }: ShapeTable): Tie[] {
  const held = columns.map(
    (column): Tie => ({
      words: (of) => `${of(id)} holds ${of(column.id)}`,
      ends: () => [id, column.id].map((end) => [end, ""]),
    }),
  );
  const ruled = rules.map(
    (rule): Tie => ({
      words: (of) => `rule ${rule.form} ${rule.columns.map(of).sort()}`,
      ends: () => [id, ...rule.columns].map((end) => [end, ""]),
    }),
  );
  const led = references.map(
    (reference): Tie => ({
      words: (of) => `${of(id)} ${pairsOf(reference, of)} ${of(reference.target)}`,
      ends: (of) => [
        [id, "from"],
        [reference.target, "to"],
        ...reference.columns.flatMap((column, at): [string, string][] => {
          const there = reference.targetColumns[at] ?? "";
          return [
            [column, `from ${of(there)}`],
            [there, `to ${of(column)}`],
          ];
        }),
      ],
    }),
  );
  return [...held, ...ruled, ...led];
}

/** Which column leads to which, whatever the order they are listed in. */
export function pairsOf({ columns, targetColumns }: ShapeReference, nameOf: (id: string) => string): string {
  return columns
    .map((column, at) => `${nameOf(column)}>${nameOf(targetColumns[at] ?? "")}`)
    .sort()
    .join();
}

/** Equal for clusters whose tables and columns have the same colours. */
export function formOf(colours: Colours): string {
  return [...colours.values()].sort((a, b) => a - b).join();
}

/** A cluster in full, under the names that are given: two are the same if and only if these are. */
export function tell({ tables }: Cluster, nameOf: (id: string) => string): string {
  const told = tables.map(({ id, isNew, nature, columns, rules, references }) => [
    nameOf(id),
    isNew ? nature : "",
    columns.map((column: ShapeColumn) => `${nameOf(column.id)} ${column.family}`).sort(),
    rules.map(({ form, columns: of }) => `${form} ${of.map(nameOf).sort()}`).sort(),
    references.map((reference) => `${pairsOf(reference, nameOf)} ${nameOf(reference.target)}`).sort(),
  ]);
  return told
    .map((each) => JSON.stringify(each))
    .sort()
    .join("\n");
}
