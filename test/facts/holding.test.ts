import { expect, test } from "vitest";
import { findConsensus } from "../../src/consensus/consensus.js";
import { readFacts } from "../../src/facts/facts.js";
import { holdingOf } from "../../src/facts/holding.js";
import { columnId } from "../../src/facts/ids.js";
import { rename } from "../../src/facts/rename.js";
import { libraries } from "../support/library.js";
import { column, id, key, run, snapshot, table } from "../support/runs.js";

test.each([
  ["password_hash", "a hash"],
  ["passwordHash", "a hash"],
  ["price_cents", "cents"],
  ["image_url", "a URL"],
  ["duration_ms", "milliseconds"],
  ["password", undefined],
  ["hashtag", undefined],
])("the name %s says that the value is held as %s", (name, how) => {
  expect(holdingOf(name)).toBe(how);
});

const users = table("users", { columns: [id(), column("email", "text")], constraints: [key("id")] });
const base = { schema: snapshot([users]), checks: null };

/** Ten runs that keep a pin; four of them name it after how it is held, and are compared by the name of the others. */
function pins() {
  const cards = { schema: "public", name: "cards" };
  const runs = Array.from({ length: 10 }, (_, at) => {
    const made = table("cards", {
      salt: at,
      columns: [id(), column(at < 6 ? "pin" : "pin_hash", "text", { notNull: true })],
      constraints: [key("id")],
    });
    return run(at + 1, { schema: snapshot([users, made]) });
  });
  const renamed = rename(runs, base, new Map([[columnId(cards, "pin_hash"), columnId(cards, "pin")]]));
  const facts = readFacts(renamed, base);
  return findConsensus(renamed.map(({ id, record }, at) => ({ id, record, facts: facts[at] ?? null })));
}

test("a name that says how the value is held is a question of its own, by the name the run itself uses", () => {
  const { decisions } = pins();
  expect(
    decisions.map(({ title, options }) => [title, options.map(({ label, runs }) => [label, runs.length])]),
  ).toEqual([
    [
      "How is `cards.pin` held?",
      [
        ["its name does not say", 6],
        ["as a hash, by its name", 4],
      ],
    ],
  ]);
});

test("a name that all runs use is no agreement about how the value is held", () => {
  const { agreed, decisions } = libraries([10, { branches: { columns: [column("logo_url", "text")] } }]);
  expect(decisions).toEqual([]);
  expect(JSON.stringify(agreed)).not.toContain("by its name");
});
