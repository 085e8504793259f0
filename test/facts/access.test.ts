import { expect, test } from "vitest";
import { columnId } from "../../src/facts/ids.js";
import { rename } from "../../src/facts/rename.js";
import type { SchemaPolicy, SchemaSnapshot } from "../../src/model/schema.js";
import { damage, factsOf, told } from "../support/facts.js";
import { reportOf } from "../support/report.js";
import { column, id, key, run, snapshot, table } from "../support/runs.js";

const users = table("users", { columns: [id(), column("email", "text")], constraints: [key("id")] });
const base = snapshot([users]);

const policy = (parts: Partial<SchemaPolicy> = {}): SchemaPolicy => ({
  name: "any",
  oid: 1,
  permissive: true,
  command: "select",
  roles: ["public"],
  using: "true",
  check: null,
  comment: null,
  ...parts,
});
const guarded = (...policies: SchemaPolicy[]) => snapshot([users, table("notes", { rowSecurity: "on", policies })]);
const policyFact = (schema: SchemaSnapshot) => factsOf({ schema }, base).find(({ aspect }) => aspect === "policies");

test.each<[string, Partial<SchemaPolicy>, Partial<SchemaPolicy>]>([
  ["which rows", { using: "(owner_id = 1)" }, { using: "true" }],
  ["which new rows", { command: "insert", using: null, check: "true" }, { command: "insert", using: null, check: "a" }],
  ["to whom", { roles: ["app"] }, { roles: ["public"] }],
  ["allowing or restricting", { permissive: false }, {}],
])("policies that differ in %s are different answers", (_name, one, other) => {
  expect(policyFact(guarded(policy(one)))?.value).not.toBe(policyFact(guarded(policy(other)))?.value);
});

test("names, order and needless parentheses of policies mean nothing", () => {
  const one = guarded(policy({ using: "((owner_id = 1))" }), policy({ command: "delete" }));
  const other = guarded(policy({ command: "delete", name: "x" }), policy({ using: "(owner_id = 1)", name: "y" }));
  expect(policyFact(one)?.value).toBe(policyFact(other)?.value);
});

test("a policy that lets everyone have everything is marked, one for some rows or some roles is not", () => {
  const risk = (...policies: SchemaPolicy[]) => policyFact(guarded(...policies))?.risk;
  expect(risk(policy())).toEqual({ kind: "consequence", text: "open to everyone" });
  expect(risk(policy({ command: "insert", using: null, check: "(true)" }))?.text).toBe("open to everyone");
  expect(risk(policy({ using: "(owner_id = 1)" }))).toBeNull();
  expect(risk(policy({ roles: ["app"] }))).toBeNull();
  expect(risk(policy(), policy({ permissive: false, using: "(owner_id = 1)" }))).toBeNull();
});

test("opposite policies are a decision that needs an answer, and no agreement", () => {
  const runs = [1, 2, 3, 4].map((n) =>
    run(n, { schema: guarded(policy(n > 2 ? {} : { using: "(owner_id = current_setting('app.user')::int)" })) }),
  );
  const { decisions } = reportOf(runs, { schema: base, checks: null });
  expect(decisions.map(({ title, ask }) => [title, ask])).toEqual([["What do the policies of `notes` allow?", true]]);
  expect(decisions[0]?.options.map(({ label, risk }) => [label, risk])).toEqual([
    ["select any row", "open to everyone"],
    ["select where `owner_id = current_settin…pp.user')::int`", null],
  ]);
});

test("policies speak in the names that are compared", () => {
  const made = (link: string) => {
    const columns = [id(), column(link, "integer")];
    const own = policy({ using: `(${link} = 1)` });
    return run(1, { schema: snapshot([users, table("notes", { columns, rowSecurity: "on", policies: [own] })]) });
  };
  const others = new Map([
    [columnId({ schema: "public", name: "notes" }, "author"), columnId({ schema: "public", name: "notes" }, "owner")],
  ]);
  const [renamed] = rename([made("author")], { schema: base, checks: null }, others);
  expect(policyFact(renamed?.schema ?? base)?.value).toBe(policyFact(made("owner").schema ?? base)?.value);
  expect(policyFact(made("author").schema ?? base)?.value).not.toBe(policyFact(made("owner").schema ?? base)?.value);
});

const grant = (grantee: string, ...privileges: string[]) => ({ grantee, privileges });

test("what is granted to others than the owner is told per object and grantee", () => {
  const notes = table("notes", { grants: [grant("app", "SELECT", "INSERT"), grant("owner", "SELECT")] });
  expect(told({ schema: snapshot([users, notes]) }, base)).toContain(
    "grants table public.notes app · privileges: insert, select",
  );
  const opened = { ...users, columns: users.columns.map((each) => ({ ...each, grants: [grant("app", "SELECT")] })) };
  expect(told({ schema: snapshot([opened]) }, base)).toEqual([
    "grants column public.users.email app · privileges: select",
    "grants column public.users.id app · privileges: select",
  ]);
});

test("what base grants already is no fact, and taking it away is one", () => {
  const open = snapshot([{ ...users, grants: [grant("app", "SELECT")] }]);
  expect(factsOf({ schema: open, files: [] }, open)).toEqual([]);
  expect(told({ schema: base }, open)).toEqual(["grants table public.users app · privileges: nothing"]);
});

test("opening a table of base to everyone is damage, a new one is marked", () => {
  const all = [grant("public", "DELETE", "INSERT", "REFERENCES", "SELECT", "TRIGGER", "TRUNCATE", "UPDATE")];
  const schema = snapshot([{ ...users, grants: all }, table("notes", { grants: all })]);
  expect(damage({ schema }, base)).toEqual(["opens `users` to everyone"]);
  const own = factsOf({ schema }, base).filter(({ aspect }) => aspect === "privileges");
  expect(own.map(({ title, label, risk }) => [title, label, risk?.kind])).toEqual([
    ["What may everyone do with `users`?", "everything", "damage"],
    ["What may everyone do with `notes`?", "everything", "consequence"],
  ]);
});

test("one run that grants and one that does not are a difference", () => {
  const runs = [1, 2, 3, 4].map((n) =>
    run(n, { schema: snapshot([users, table("notes", { grants: n > 2 ? [grant("app", "SELECT")] : [] })]) }),
  );
  const { decisions } = reportOf(runs, { schema: base, checks: null });
  expect(decisions.map(({ title, options }) => [title, options.map(({ label }) => label)])).toEqual([
    ["What may `app` do with `notes`?", ["nothing", "select"]],
  ]);
});
