import { expect, test } from "vitest";
import { align } from "../../../src/consensus/align/align.js";
import { namingOf } from "../../../src/consensus/align/naming.js";
import { readShapes } from "../../../src/facts/shapes.js";
import { areOne, base, built, oneThing, runsWith, times } from "../../support/alignment.js";

const clientes = [
  built("clientes", "id limite:integer saldo:integer"),
  built("transacoes", "id cliente_id>clientes valor:integer tipo descricao"),
];
const accounts = [
  built("accounts", "id credit:integer balance:integer"),
  built("transactions", "id account_id>accounts amount:integer kind description"),
];
const konten = [
  built("konten", "id rahmen:integer stand:integer"),
  built("umsaetze", "id konto_id>konten betrag:integer art zweck"),
];

test("tables of three tongues fill one role, though no two of them cover the runs", () => {
  const runs = runsWith(...times(5, clientes), ...times(3, accounts), ...times(2, konten));
  const tables = oneThing(runs).filter((each) => !each.includes("."));
  expect(tables).toEqual(["accounts = clientes = konten", "transacoes = transactions = umsaetze"]);
});

test("what was aligned by structure is said to be", () => {
  const shapes = readShapes(runsWith(...times(5, clientes), ...times(3, accounts)), base);
  const entry = namingOf(align(shapes), shapes).find(({ title }) => title.includes("`clientes`"));
  expect(entry?.likeness).toBeLessThan(0.6);
});

test("what too few runs have fills no role", () => {
  const other = [built("notes", "id body")];
  const runs = runsWith(...times(3, clientes), ...times(3, accounts), ...times(4, other));
  expect(areOne(runs, "clientes", "accounts")).toBe(false);
});

test("where a run made two tables that would do, neither is taken", () => {
  const both = [...accounts, built("wallets", "id points:integer spent:integer")];
  const alone = (tables: typeof clientes) => tables.slice(0, 1);
  const runs = runsWith(
    ...times(5, alone(clientes)),
    ...times(
      5,
      [both[0], both[2]].flatMap((each) => each ?? []),
    ),
  );
  expect(areOne(runs, "clientes", "accounts")).toBe(false);
  expect(areOne(runs, "clientes", "wallets")).toBe(false);
});

test("runs that agree on other names mean two tables by two names", () => {
  const around = built("shelves", "id label width:integer height:integer");
  const runs = runsWith(
    ...times(5, [around, built("loans", "id days:integer fee:integer")]),
    ...times(5, [around, built("sales", "id price:integer units:integer")]),
  );
  expect(areOne(runs, "loans", "sales")).toBe(false);
});
