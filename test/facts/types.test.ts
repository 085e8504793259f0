import { expect, test } from "vitest";
import { typeOf } from "../../src/facts/families.js";
import { factsOf } from "../support/facts.js";
import { column, id, key, refers, snapshot, table } from "../support/runs.js";

const users = table("users", { columns: [id()], constraints: [key("id")] });
const base = snapshot([users]);

/** What is said of one aspect of column `things.it`; undefined where nothing is. */
function said(aspect: string, it: ReturnType<typeof column>, constraints: ReturnType<typeof refers>[] = []) {
  const things = table("things", { columns: [id(), it], constraints: [key("id"), ...constraints] });
  const schema = snapshot([users, things], {
    enums: [{ schema: "public", name: "mood", oid: 9, comment: null, labels: ["sad", "ok"] }],
  });
  return factsOf({ schema }, base).find(
    (each) => each.slot === `column public.things.${it.name}` && each.aspect === aspect,
  );
}

test.each([
  ["text", "text"],
  ["character varying(10)", "text"],
  ["character(10)", "text"],
  ["bpchar", "text"],
  ["public.citext", "text"],
  ["smallint", "integer"],
  ["bigint", "integer"],
  ["numeric(10,2)", "exact number"],
  ["real", "floating-point number"],
  ["double precision", "floating-point number"],
  ["timestamp(3) without time zone", "timestamp without time zone"],
  ["timestamp with time zone", "timestamp with time zone"],
  ["time without time zone", "time of day"],
  ["jsonb", "json"],
  ["bit varying(5)", "bits"],
  ["uuid", "uuid"],
  ["character varying(10)[]", "list of text"],
  ["inet", "`inet`"],
  ["app.money_amount", "`app.money_amount`"],
  ["app.mood[]", "list of `app.mood`"],
])("%s is %s in plain words", (type, label) => {
  expect(typeOf(type).label).toBe(label);
});

test("how long a text may be, how wide an integer is and how precise a number is are no part of its type", () => {
  const type = (text: string) => said("type", column("it", text))?.value;
  expect(type("character varying(10)")).toBe(type("text"));
  expect(type("bigint")).toBe(type("smallint"));
  expect(type("numeric(10,2)")).toBe(type("numeric"));
  expect(type("numeric")).not.toBe(type("double precision"));
});

test.each([
  ["length", "text", "any length"],
  ["length", "character varying", "any length"],
  ["length", "character varying(10)", "at most 10 characters"],
  ["length", "character(1)[]", "at most 1 character"],
  ["width", "smallint", "`smallint`"],
  ["width", "real", "`real`"],
  ["precision", "numeric(10,2)", "`numeric(10,2)`"],
  ["precision", "timestamp(3) without time zone", "to the millisecond"],
  ["precision", "timestamp(6) with time zone", undefined],
  ["form", "jsonb", "`jsonb`"],
  ["padding", "character(10)", "filled up with blanks"],
  ["padding", "character(1)", undefined],
  ["padding", "character varying(10)", undefined],
  ["collation", "public.citext", "without case"],
  ["collation", "text", undefined],
  ["length", "integer", undefined],
])("the %s of %s is told as %s", (aspect, type, label) => {
  expect(said(aspect, column("it", type))?.label).toBe(label);
});

test("a collation that is not the database's is told", () => {
  expect(said("collation", column("it", "text", { collation: '"C"' }))?.label).toBe('by collation `"C"`');
});

test.each([
  ["bigint", "`bigint`, wider than the key", null],
  ["smallint", "`smallint`, narrower than the key", { kind: "consequence", text: "later keys do not fit" }],
])("a reference of type %s to integer keys is %s", (type, label, risk) => {
  expect(said("width", column("user_id", type), [refers("user_id", "users")])).toMatchObject({ label, risk });
});

test("a reference as wide as its key says nothing of its type", () => {
  const user = column("user_id", "integer");
  for (const aspect of ["type", "width"]) expect(said(aspect, user, [refers("user_id", "users")])).toBeUndefined();
});

test("a reference of another family than its key tells its type", () => {
  expect(said("type", column("user_id", "numeric"), [refers("user_id", "users")])).toMatchObject({
    label: "exact number",
    absentLabel: "like the key",
  });
});

test("an id without a foreign key follows the keys of its run though no table has its name", () => {
  expect(said("type", column("owner_id", "integer"))).toBeUndefined();
  expect(said("width", column("owner_id", "bigint"))?.label).toBe("`bigint`, wider than the key");
  expect(said("type", column("owner_id", "text"))?.label).toBe("text");
});

test("the order of an enum is told beside its values", () => {
  const mood = column("it", "mood");
  expect(said("values", mood)?.label).toBe("`ok`, `sad`");
  expect(said("order of values", mood)?.label).toBe("`sad`, `ok`");
});
