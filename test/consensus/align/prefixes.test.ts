import { expect, test } from "vitest";
import { bareNames } from "../../../src/consensus/align/prefixes.js";
import { readShapes } from "../../../src/facts/shapes.js";
import { areOne, base, built, runsWith, times } from "../../support/alignment.js";

/** What the new tables of the first run are called without what says nothing about them. */
function namesOf(...all: string[][]): string[] {
  const shapes = readShapes(
    runsWith(...all.map((names) => names.map((name) => built(name, "id label amount:integer")))),
    base,
  );
  const bare = bareNames(shapes);
  return (shapes[0]?.tables ?? []).filter(({ isNew }) => isNew).map(({ id }) => bare.get(id) ?? "");
}

test("the words a run puts before all of its new tables say nothing about any of them", () => {
  expect(namesOf(["shop_list_orders", "shop_list_notes"])).toEqual(["orders", "notes"]);
});

test("what only some of a run's tables begin with is part of their names", () => {
  expect(namesOf(["shop_orders", "shop_notes", "invoices"])).toEqual(["shop_orders", "shop_notes", "invoices"]);
});

test("words that name a table of base are no prefix: such tables belong to it", () => {
  expect(namesOf(["user_orders", "user_notes"])).toEqual(["user_orders", "user_notes"]);
});

test("a run with one table loses the prefix another run shows, and no other word", () => {
  expect(namesOf(["shop_orders"], ["shop_orders", "shop_notes"])).toEqual(["orders"]);
  expect(namesOf(["shop_orders"], ["orders", "notes"])).toEqual(["shop_orders"]);
});

test("tables are one under the prefixes of two runs", () => {
  const tables = (prefix: string) => [
    built(`${prefix}bookings`, "id user_id>users starts_on:date seats:integer"),
    built(`${prefix}rooms`, "id label floor:integer"),
  ];
  const runs = runsWith(...times(3, tables("hotel_")), ...times(3, tables("")));
  expect(areOne(runs, "hotel_bookings", "bookings")).toBe(true);
  expect(areOne(runs, "hotel_bookings", "rooms")).toBe(false);
});
