import { expect, test } from "vitest";
import { many, one, quote, quoteList, title } from "../../src/facts/words.js";

test.each([
  ["teams", "a team", "teams"],
  ["users", "a user", "users"],
  ["invites", "an invite", "invites"],
  ["organisations", "an organisation", "organisations"],
  ["units", "a unit", "units"],
  ["team_members", "a team member", "team members"],
  ["categories", "a category", "categories"],
  ["addresses", "an address", "addresses"],
  ["boxes", "a box", "boxes"],
  ["statuses", "a status", "statuses"],
  ["movies", "a movie", "movies"],
  ["hours", "an hour", "hours"],
  ["keys", "a key", "keys"],
])("%s is %s, and many are %s", (table, single, plural) => {
  expect([one(table), many(table)]).toEqual([single, plural]);
});

test.each(["people", "news", "status", "analysis", "caches", "Team", "équipes", "t1", "audit.logs"])(
  "%s stays a name, because its last letters do not say how to count it",
  (table) => {
    expect(one(table)).toBe(`a \`${table}\` row`);
    expect(many(table)).toBe(`\`${table}\` rows`);
  },
);

test("a name is one line, bounded, and never ends its own back-ticks", () => {
  expect(quote("a`b\nc\u202ed")).toBe("`a'b c\ufffdd`");
  expect([...quote("x".repeat(500))].length).toBe(42);
  expect(quote("\ud800")).toBe("`\ufffd`");
});

test("a long list of names is counted", () => {
  expect(quoteList(["a", "b", "c", "d", "e"])).toBe("`a`, `b`, `c` and 2 more");
});

test("a title has at most 80 characters and back-ticks in pairs", () => {
  for (let length = 60; length < 120; length++) {
    const text = title(`Is ${quote("a".repeat(30))} the ${"b".repeat(length - 60)} of ${quote("c".repeat(60))}?`);
    expect([...text].length).toBeLessThanOrEqual(80);
    expect(text.split("`").length % 2).toBe(1);
  }
  expect(title("Short?")).toBe("Short?");
});

test("long names that differ only in their ends stay two", () => {
  const long = "a".repeat(60);
  expect(quote(`${long}_one`)).not.toBe(quote(`${long}_two`));
  expect([...quote(`${long}_one`)].length).toBe(42);
});
