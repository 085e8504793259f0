import { expect, test } from "vitest";
import type { SchemaSnapshot, SchemaTrigger } from "../../src/model/schema.js";
import { factsOf, told } from "../support/facts.js";
import { reportOf } from "../support/report.js";
import { column, id, key, run, snapshot, table } from "../support/runs.js";

const users = table("users", { columns: [id(), column("email", "text")], constraints: [key("id")] });
const base = snapshot([users]);

const head = { schema: "public", oid: 1, comment: null, grants: [] };
const routine = (name: string, body: string, more = ""): SchemaSnapshot["routines"][number] => ({
  ...head,
  name,
  kind: "function",
  arguments: "",
  grants: [{ grantee: "public", privileges: ["EXECUTE"] }],
  definition: `CREATE OR REPLACE FUNCTION public.${name}()\n RETURNS integer\n LANGUAGE sql${more}\nAS $function$${body}$function$\n`,
});
const view = (definition: string, options: string[] = []): SchemaSnapshot["views"][number] => ({
  ...head,
  name: "active",
  materialised: false,
  definition,
  options,
  indexes: [],
  triggers: [],
});
const trigger = (name: string, calls: string, rest = "FOR EACH ROW"): SchemaTrigger => ({
  name,
  oid: 2,
  definition: `CREATE TRIGGER ${name} BEFORE UPDATE ON public.users ${rest} EXECUTE FUNCTION ${calls}()`,
  enabled: "enabled",
  comment: null,
});

function decisionsOf(make: (n: number) => SchemaSnapshot) {
  const runs = [1, 2, 3, 4].map((n) => run(n, { schema: make(n) }));
  const { decisions } = reportOf(runs, { schema: base, checks: null });
  return decisions.map(({ title, options }) => [title, options.map(({ label }) => label)]);
}

test("functions that do different things are a difference, told by what they do where that is short", () => {
  const make = (n: number) => snapshot([users], { routines: [routine("f", n > 2 ? "SELECT 2" : "SELECT 1")] });
  expect(decisionsOf(make)).toEqual([["What does function `f()` do?", ["`SELECT 1`", "`SELECT 2`"]]]);
});

test("long definitions are told as two ways, and every run's file is named", () => {
  const long = (n: number) => `SELECT ${n > 2 ? 2 : 1} FROM ${"public.users CROSS JOIN ".repeat(3)} public.users`;
  const runs = [1, 2, 3, 4].map((n) => run(n, { schema: snapshot([users], { views: [view(long(n))] }) }));
  const [decision] = reportOf(runs, { schema: base, checks: null }).decisions;
  expect(decision?.options.map(({ label }) => label)).toEqual(["one way", "another way"]);
  expect(decision?.title).toBe("What does view `active` show?");
  expect(decision?.facts[0]?.evidence.map(({ file }) => file)).toEqual(
    [1, 2, 3, 4].map((n) => `runs/r0${n}/schema.json`),
  );
});

test("with whose rights a function runs is a choice of its own", () => {
  const make = (n: number) =>
    snapshot([users], { routines: [routine("f", "SELECT 1", n > 2 ? "\n STABLE SECURITY DEFINER" : "\n STABLE")] });
  expect(decisionsOf(make)).toEqual([
    ["With whose rights does `f()` run?", ["its caller's", "its owner's (security definer)"]],
  ]);
});

test("layout of a definition is no difference", () => {
  const make = (n: number) =>
    snapshot([users], { views: [view(n > 2 ? " SELECT id\n   FROM users;" : "SELECT id FROM users;")] });
  expect(decisionsOf(make)).toEqual([]);
});

test("options of a view are a choice", () => {
  const make = (n: number) => snapshot([users], { views: [view("SELECT 1", n > 2 ? ["security_invoker=true"] : [])] });
  expect(decisionsOf(make)).toEqual([["Which options does view `active` have?", ["`security_invoker=true`", "none"]]]);
});

test("triggers differ in what they run, not in what they and their functions are called", () => {
  const make = (different: boolean) => (n: number) =>
    snapshot([{ ...users, triggers: [trigger(`t${n}`, n > 2 ? "g" : "f")] }], {
      routines: [routine(n > 2 ? "g" : "f", different && n > 2 ? "SELECT 2" : "SELECT 1")],
    });
  const about = (decisions: ReturnType<typeof decisionsOf>) =>
    decisions.flatMap(([title, labels]) =>
      String(title).includes("trigger") ? [[title, [labels].flat().sort()]] : [],
    );
  expect(about(decisionsOf(make(true)))).toEqual([
    ["What does trigger `users: before update` do?", ["runs `f()`", "runs `g()`"]],
  ]);
  expect(about(decisionsOf(make(false)))).toEqual([]);
});

test("two triggers of one moment are both compared", () => {
  const value = (...triggers: SchemaTrigger[]) =>
    factsOf({ schema: snapshot([{ ...users, triggers }]) }, base).find(({ aspect }) => aspect === "definition")?.value;
  expect(value(trigger("a", "f"), trigger("b", "g"))).toBe(value(trigger("x", "g"), trigger("y", "f")));
  expect(value(trigger("a", "f"), trigger("b", "g"))).not.toBe(value(trigger("a", "f")));
});

test("domains, schemas and sequences of their own are told, a column's sequence is not", () => {
  const sequence = { ...head, definition: "AS bigint", ownedBy: null };
  const usage = [{ grantee: "public", privileges: ["USAGE"] }];
  const schema = snapshot([users], {
    domains: [{ ...head, name: "email", definition: "text CHECK (VALUE <> '')", grants: usage }],
    schemas: [{ name: "app", oid: 7, comment: null, grants: [] }],
    sequences: [
      { ...sequence, name: "counter" },
      { ...sequence, name: "users_id_seq", ownedBy: "users.id" },
    ],
  });
  expect(told({ schema }, base)).toEqual([
    "domain public.email · definition: `text CHECK (VALUE <> '')`",
    "domain public.email · presence: yes",
    "schema app · presence: yes",
    "sequence public.counter · definition: `AS bigint`",
    "sequence public.counter · presence: yes",
  ]);
});

test("a trigger and the function it runs are one choice", () => {
  const make = (n: number) =>
    n > 2
      ? snapshot([{ ...users, triggers: [trigger("t", "public.f")] }], { routines: [routine("f", "SELECT 1")] })
      : snapshot([users, table("other", { columns: [id()], constraints: [key("id")] })]);
  expect(decisionsOf(make).filter(([title]) => /trigger|function/.test(String(title)))).toHaveLength(1);
});
