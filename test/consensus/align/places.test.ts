import { expect, test } from "vitest";
import type { SchemaTable } from "../../../src/model/schema.js";
import { oneThing, runsWith, times } from "../../support/alignment.js";
import { column, id, key, table, unique } from "../../support/runs.js";

const text = (name: string, length: number) => column(name, `character varying(${length})`, { notNull: true });
const person = (
  name: string,
  [nick, own, born]: [string, string, string],
  more: { length?: number } = {},
): SchemaTable =>
  table(name, {
    columns: [
      id(),
      text(nick, 32),
      text(own, more.length ?? 100),
      column(born, "date", { notNull: true }),
      column("stack", "text"),
    ],
    constraints: [key("id"), unique(nick)],
  });
const pessoas = person("pessoas", ["apelido", "nome", "nascimento"]);

test("columns of tables in two tongues are told by type, length and uniqueness", () => {
  const people = person("people", ["nick", "called", "birth"]);
  expect(oneThing(runsWith(...times(6, [pessoas]), ...times(4, [people])))).toEqual([
    "people = pessoas",
    "people.birth = pessoas.nascimento",
    "people.called = pessoas.nome",
    "people.nick = pessoas.apelido",
  ]);
});

test("a name of one letter is the one that begins with it", () => {
  const accounts = (name: string, one: string, other: string) =>
    table(name, {
      columns: [
        id(),
        column(one, "integer", { notNull: true }),
        column(other, "integer", { notNull: true }),
        column("code", "text"),
      ],
      constraints: [key("id")],
    });
  const runs = runsWith(...times(6, [accounts("clientes", "limite", "saldo")]), ...times(4, [accounts("a", "s", "l")]));
  expect(oneThing(runs)).toEqual(["a = clientes", "a.l = clientes.limite", "a.s = clientes.saldo"]);
});

test("columns that could be either stay what they are", () => {
  const things = (name: string, one: string, other: string) =>
    table(name, {
      columns: [id(), column(one, "integer"), column(other, "integer"), column("code", "text")],
      constraints: [key("id")],
    });
  const runs = runsWith(
    ...times(6, [things("clientes", "limite", "saldo")]),
    ...times(4, [things("accounts", "credit", "funds")]),
  );
  expect(oneThing(runs)).toEqual(["accounts = clientes"]);
});
