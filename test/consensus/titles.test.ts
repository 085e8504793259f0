import { expect, test } from "vitest";
import { reportOf } from "../support/report.js";
import { check, column, id, index, key, refers, run, snapshot, table } from "../support/runs.js";

const hostile = [
  "a".repeat(300),
  "x`y`\nz\u202e",
  "… of … and …",
  "{}$& %s $1",
  "Ünïcödé with blanks and more than forty characters in it",
  "",
];

/** Runs that differ in everything a choice can be composed of, under the given name. */
function differing(name: string) {
  const base = { schema: snapshot([table("users", { columns: [id()], constraints: [key("id")] })]), checks: null };
  const runs = Array.from({ length: 10 }, (_, at) => {
    const some = at < 5;
    const filled = { notNull: some };
    const own = (word: string) => `${word}${name}`;
    const home = table(own("home"), {
      salt: at,
      columns: [
        id(some ? "uuid" : "integer"),
        column(own("a"), some ? "text" : "character varying(9)", filled),
        column(own("b"), some ? "text" : "character varying(9)", filled),
        ...(some ? [column("created_at", "timestamp without time zone")] : []),
        ...(at >= 7 ? [column(own("tag"), at > 8 ? "jsonb" : "text")] : []),
      ],
      constraints: [key("id"), ...(some ? [check([own("a")], "a > 1"), check([own("b")], "b > 1")] : [])],
      indexes: some ? [index(own("a")), index(own("b"))] : [],
      rowSecurity: some ? "on" : "off",
    });
    const side = table(own("side"), {
      salt: at,
      columns: [id(some ? "uuid" : "integer"), ...(some ? [column("created_at", "timestamp without time zone")] : [])],
      constraints: [key("id")],
      rowSecurity: some ? "on" : "off",
    });
    const tags = table(own("home_tag"), {
      salt: at,
      columns: [id(), column("home_id", "integer")],
      constraints: [key("id"), refers("home_id", own("home"))],
    });
    return run(at + 1, { schema: snapshot([...(base.schema?.tables ?? []), home, side, ...(at < 7 ? [tags] : [])]) });
  });
  return reportOf(runs, base);
}

test.each(hostile)("titles are one line of at most 80 characters, whatever things are called (%j)", (name) => {
  const { decisions } = differing(name);
  expect(decisions.length).toBeGreaterThan(2);
  for (const { title, facts } of decisions) {
    for (const words of [title, ...facts.map((fact) => fact.title)]) {
      expect([...words].length).toBeLessThanOrEqual(80);
      expect(words).not.toMatch(/[\n\u202e]/);
      expect(words.split("`").length % 2).toBe(1);
      expect(words).toMatch(/\?$/);
    }
  }
});

test("a question about many things names some of them, and how many more there are", () => {
  const names = "abcdefghijkl".split("").map((letter) => `column_${letter}`);
  const runs = Array.from({ length: 10 }, (_, at) => {
    const columns = [id(), ...names.map((name) => column(name, "text", { notNull: at < 5 }))];
    return run(at + 1, { schema: snapshot([table("things", { salt: at, columns, constraints: [key("id")] })]) });
  });
  expect(reportOf(runs, { schema: null, checks: null }).decisions.map(({ title }) => title)).toEqual([
    "Are `column_a`, `column_b`, `column_c` and 9 more of `things` required?",
  ]);
});
