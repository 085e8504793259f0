import { expect, test } from "vitest";
import { holdingOf } from "../../src/facts/holding.js";
import { libraries, told } from "../support/library.js";
import { reportOf } from "../support/report.js";
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

/** Ten runs that keep a pin; four of them name it after how it is held. */
const pins = reportOf(
  Array.from({ length: 10 }, (_, at) => {
    const cards = table("cards", {
      salt: at,
      columns: [id(), column("colour", "jsonb"), column(at < 6 ? "pin" : "pin_hash", "text", { notNull: true })],
      constraints: [key("id")],
    });
    return run(at + 1, { schema: snapshot([users, cards]) });
  }),
  base,
);

test("a name that says how the value is held is a row beside the names", () => {
  expect(told(pins)).toEqual(["How is `cards.pin` held? 6:4"]);
  expect(pins.decisions[0]?.options.map(({ label }) => label)).toEqual([
    "its name does not say",
    "as a hash, by its name",
  ]);
  expect(pins.naming).toHaveLength(1);
});

test("a name that all runs use is no agreement about how the value is held", () => {
  const { agreed, decisions } = libraries([10, { branches: { columns: [column("logo_url", "text")] } }]);
  expect(decisions).toEqual([]);
  expect(JSON.stringify(agreed)).not.toContain("by its name");
});
