import type { RunArtifacts } from "../../src/model/fact.js";
import type { SchemaTable } from "../../src/model/schema.js";
import { randomOf } from "../support/random.js";
import { check, column, id, index, key, refers, run, snapshot, table, unique } from "../support/runs.js";
import { compare } from "./planted/engine.js";

/** Words without a part in common, one for every choice of a set. */
const words =
  "anchor barrel candle dragon engine feather guitar hammer island jacket kettle ladder magnet needle orchid pepper quartz ribbon saddle timber umbrella violin walnut xylem yogurt zipper bishop cactus dolphin embryo falcon goblet husky ivory jungle knight lemon mosaic napkin oyster".split(
    " ",
  );
const kinds = ["date", "jsonb", "boolean", "numeric(8,2)", "bytea", "inet", "interval", "point"];

type Change = (before: SchemaTable, word: string) => SchemaTable | [SchemaTable, SchemaTable];

const adds: Change = (before, word) => ({
  ...before,
  columns: [...before.columns, column(word, "text", { attnum: 9 })],
});
const loosens: Change = (before) => altered(before, { notNull: false });
const retypes: Change = (before) => altered(before, { type: "integer" });
const defaults: Change = (before) => altered(before, { default: "'none'::text" });
const secures: Change = (before) => ({ ...before, rowSecurity: "on" });
const indexes: Change = (before, word) => ({ ...before, indexes: [index(word)] });
const distinct: Change = (before, word) => ({ ...before, constraints: [...before.constraints, unique(word)] });
const checks: Change = (before, word) => ({
  ...before,
  constraints: [...before.constraints, check([word], `(${word} <> ''::text)`)],
});

/** A new table of its own kind, about a table of base that nothing else is about. */
const creates: Change = (before, word) => {
  const kind = kinds[words.indexOf(word) % kinds.length] ?? "text";
  const parts = { columns: [id(), column(`${word}_ref`, "integer"), column(`${word}_body`, kind)] };
  return [before, table(`${word}s`, { ...parts, constraints: [key("id"), refers(`${word}_ref`, before.name)] })];
};

function altered(before: SchemaTable, change: object): SchemaTable {
  return { ...before, columns: before.columns.map((each) => (each.name === "id" ? each : { ...each, ...change })) };
}

/** One choice of every kind that conventions could tie, and many of those that nothing ties. */
const special = [loosens, retypes, defaults, secures, indexes, distinct, checks];
const changes: Change[] = words.map((_, at) => special[at] ?? (at < special.length + kinds.length ? creates : adds));

/** Runs that take forty choices, none of which has to do with another. */
export function independentRuns(seed: number, n: number): { runs: RunArtifacts[]; base: SchemaTable[] } {
  const random = randomOf(seed);
  const base = words.map((word) =>
    table(`b_${word}`, { columns: [id(), column(word, "text", { notNull: true })], constraints: [key("id")] }),
  );
  const likely = words.map(() => 0.5 + 0.5 * random());
  const runs = Array.from({ length: n }, (_, at) => {
    const tables = base.flatMap((before, which) => {
      const word = words[which] ?? "";
      const change = changes[which];
      return change && random() >= (likely[which] ?? 1)
        ? change(before, change === adds ? `${word}_more` : word)
        : before;
    });
    const made = tables.map((each) =>
      base.some(({ name }) => name === each.name) ? each : { ...each, oid: each.oid + at },
    );
    return run(at + 1, { schema: snapshot(made) });
  });
  return { runs, base };
}

/** Pairs of choices that one decision takes for one, and pairs that the very same runs took by chance. */
export function covariations(seed: number, n: number): { joined: number; coincident: number } {
  const { runs, base } = independentRuns(seed, n);
  const { decisions } = compare(runs, { schema: snapshot(base), checks: null });
  const about = decisions.map(({ title, facts, options }) => {
    const text = JSON.stringify([
      title,
      facts.map((fact) => [fact.slot, fact.title]),
      options.map(({ label }) => label),
    ]);
    return words.filter((word) => text.includes(word));
  });
  const joined = about.reduce((sum, each) => sum + (each.length * (each.length - 1)) / 2, 0);
  const seen = decisions.map(({ options }) => JSON.stringify(options.map((each) => [...each.runs].sort()).sort()));
  const coincident = seen.flatMap((each, at) => seen.slice(0, at).filter((other) => other === each)).length;
  return { joined, coincident };
}
