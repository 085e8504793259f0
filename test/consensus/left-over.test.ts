import { expect, test } from "vitest";
import type { SchemaTable } from "../../src/model/schema.js";
import { base, built, oneThing, runsWith, times } from "../support/alignment.js";
import { reportOf } from "../support/report.js";
import { unique } from "../support/runs.js";

const crops = (more = "") => built("crops", `id code ${more}`.trim());

test("two columns that never meet and are the only ones left of their kind are one", () => {
  const runs = runsWith(...times(6, [crops("attributes")]), ...times(3, [crops("extra")]));
  expect(oneThing(runs)).toEqual(["crops.attributes = crops.extra"]);
});

test("three columns that never meet are one, though no two of them cover the runs", () => {
  const runs = runsWith(
    ...times(4, [crops("attributes")]),
    ...times(3, [crops("extra")]),
    ...times(3, [crops("facts")]),
  );
  expect(oneThing(runs)).toEqual(["crops.attributes = crops.extra = crops.facts"]);
});

test("the reference that is left is one, whatever it is called and of whatever type, also where a run declares none", () => {
  const follows = (column: string) => [
    built("people", "id handle"),
    built("follows", `follower_id>people ${column}`, "follower_id"),
  ];
  const runs = runsWith(
    ...times(4, follows("followee_id:integer>people")),
    ...times(2, follows("target_id:uuid>people")),
    ...times(2, follows("target_id:uuid")),
  );
  expect(oneThing(runs)).toEqual(["follows.followee_id = follows.target_id"]);
});

test("a column that stands beside either of two, and one that few have beside either, could be neither of them", () => {
  const runs = runsWith(
    ...times(4, [crops("attributes notes")]),
    [crops("attributes")],
    [crops("attributes weather")],
    ...times(3, [crops("extra notes")]),
  );
  expect(oneThing(runs)).toEqual(["crops.attributes = crops.extra"]);
});

test("a column that must be unique and one that need not are two", () => {
  const once = (name: string) => {
    const made = crops(name);
    return { ...made, constraints: [...made.constraints, unique(name)] };
  };
  const runs = (other: SchemaTable) => runsWith(...times(6, [once("attributes")]), ...times(3, [other]));
  expect(oneThing(runs(crops("extra")))).toEqual([]);
  expect(oneThing(runs(once("extra")))).toEqual(["crops.attributes = crops.extra"]);
});

test("what most runs let a column lead to is what it leads to", () => {
  const orders = (column: string) => [built("orders", `id total:integer ${column}`)];
  const runs = runsWith(
    ...times(6, orders("user_id>users")),
    orders("user_id>assets"),
    ...times(3, orders("buyer:text>users")),
  );
  expect(oneThing(runs)).toEqual(["orders.buyer = orders.user_id"]);
});

test("columns that are left over are said to be aligned by structure", () => {
  const runs = runsWith(...times(6, [crops("attributes")]), ...times(3, [crops("extra")]));
  const { naming } = reportOf(runs, base);
  expect(naming).toHaveLength(1);
  expect(naming[0]?.likeness).toBeLessThan(0.6);
});

test("a name that is plainly the same is not said to be aligned by structure", () => {
  const runs = runsWith(...times(6, [crops("quantity:integer")]), ...times(3, [crops("qty:integer")]));
  const { naming } = reportOf(runs, base);
  expect(naming).toHaveLength(1);
  expect(naming[0]).not.toHaveProperty("likeness");
});

test.each([
  [
    "where they cover too few runs",
    [...times(4, [crops("attributes")]), ...times(3, [crops("extra")]), ...times(4, [crops()])],
  ],
  [
    "where one run has both",
    [...times(6, [crops("attributes")]), ...times(3, [crops("extra")]), [crops("attributes extra")]],
  ],
  ["where they are of different kinds", [...times(6, [crops("attributes")]), ...times(3, [crops("extra:boolean")])]],
  ["where either could be meant", [...times(6, [crops("attributes")]), ...times(3, [crops("extra colour")])]],
  [
    "where one of them refers to something",
    [...times(6, [crops("amount:integer")]), ...times(3, [crops("owner>users")])],
  ],
  ["where there are too few runs to tell", [...times(2, [crops("attributes")]), ...times(2, [crops("extra")])]],
])("they stay two %s", (_where, all) => {
  expect(oneThing(runsWith(...all))).toEqual([]);
});

test("runs that hold the values in a table of their own count as covered", () => {
  const apart = [crops(), built("crop_attributes", "crop_id>crops word value", "crop_id word")];
  const runs = runsWith(...times(6, [crops("attributes")]), ...times(3, [crops("extra")]), ...times(3, apart));
  expect(oneThing(runs)).toEqual(["crops.attributes = crops.extra"]);
});
