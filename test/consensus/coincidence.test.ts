import { expect, test } from "vitest";
import type { SchemaTable } from "../../src/model/schema.js";
import { randomOf } from "../support/random.js";
import { reportOf } from "../support/report.js";
import { column, id, index, key, refers, run, snapshot, table } from "../support/runs.js";

const letters = (count: number) => Array.from({ length: count }, (_, at) => String.fromCharCode(97 + at));
const home = (name: string, more: Partial<SchemaTable> = {}) =>
  table(name, {
    columns: [id(), ...letters(6).map((each) => column(each, "text"))],
    constraints: [key("id")],
    ...more,
  });
const homes = ["alpha", "beta", "gamma", "delta"];
const base = { schema: snapshot(homes.map((name) => home(name))), checks: null };

/** Ten runs and forty facts, each there in a run with a chance of its own and independent of all others. */
function independent(seed: number) {
  const random = randomOf(seed);
  const chances = Array.from({ length: 40 }, () => 0.5 + 0.5 * random());
  const runs = Array.from({ length: 10 }, (_, at) => {
    const there = chances.map((chance) => random() < chance);
    const at20 = (from: number, count: number) => letters(count).filter((_, each) => there[from + each]);
    const tables = homes.map((name, each) =>
      home(name, {
        columns: [
          ...(home(name).columns ?? []),
          ...at20(5 * each, 5).map((letter, place) =>
            column(`${name}_${letter}${letter}`, "text", { attnum: 20 + place }),
          ),
        ],
        indexes: at20(20 + 2 * each, 2).map((letter) => ({ ...index(letter), name: `u_${letter}`, unique: true })),
      }),
    );
    const hub = table("hub", { columns: [id()], constraints: [key("id")] });
    const alone = at20(28, 6).map((letter) =>
      table(`lone_${letter}`, { salt: at, columns: [id(), column(`x_${letter}`, "date")], constraints: [key("id")] }),
    );
    const tied = at20(34, 6).map((letter) =>
      table(`tied_${letter}`, {
        salt: at,
        columns: [id(), column("hub_id", "integer"), column(`y_${letter}`, "jsonb")],
        constraints: [key("id"), refers("hub_id", "hub")],
      }),
    );
    return run(at + 1, { schema: snapshot([...tables, hub, ...alone, ...tied]) });
  });
  return reportOf(runs, base);
}

/** Facts of one decision that are about different things: what hangs below a table goes with it. */
function merged({ decisions }: ReturnType<typeof reportOf>): string[][] {
  const thing = (slot: string) => /(?:lone|tied)_./.exec(slot)?.[0] ?? slot.replace("values of ", "");
  const things = decisions.map(({ facts }) => [...new Set(facts.map(({ slot }) => thing(slot)))]);
  return things.filter(({ length }) => length > 1);
}

test("facts that only happen to divide the runs alike are hardly ever one decision", () => {
  const sets = Array.from({ length: 40 }, (_, seed) => independent(seed));
  const pairs = sets.map(({ decisions }) => decisions.filter(({ sameRunsAs }) => sameRunsAs.length > 0).length);
  // They do happen to: else this would show nothing.
  expect(pairs.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(40);
  const wrong = sets.reduce((sum, set) => sum + merged(set).length, 0);
  expect(wrong / sets.length).toBeLessThanOrEqual(0.05);
});
