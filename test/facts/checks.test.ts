import { expect, test } from "vitest";
import { damage, factsOf } from "../support/facts.js";
import { result } from "../support/runs.js";

const base = { schema: null, checks: [result("npm test"), result("npm run lint", "fail")] };
const checked = (...checks: ReturnType<typeof result>[]) => ({ checks });

test("a check that passes in base and no longer passes is damage", () => {
  expect(damage(checked(result("npm test", "fail")), base)).toEqual(["`npm test` passes in base and fails here"]);
  expect(damage(checked(result("npm test", "timeout")), base)).toEqual([
    "`npm test` passes in base and takes too long here",
  ]);
});

test.each([
  ["passes", result("npm test")],
  ["failed before", result("npm run lint", "fail")],
  ["is new", result("npm run other", "fail")],
  ["was skipped", result("npm test", "skip")],
])("a check that %s is no damage", (_name, check) => {
  expect(damage(checked(check), base)).toEqual([]);
});

test("an unfinished run's failing check says nothing: the fact is a lack", () => {
  expect(factsOf(checked(result("npm test", "fail")), base).find(({ dimension }) => dimension === "checks")?.lack).toBe(
    true,
  );
});

test("files say where a run worked; what tools write is left out", () => {
  const files = ["src/store.js", "package-lock.json", "+src/teams.js", "node_modules/x/index.js"];
  const slots = factsOf({ files }, base).flatMap(({ slot }) => (slot.includes("file ") ? [slot] : []));
  expect(slots).toEqual(["file src/store.js", "new file src/teams.js"]);
});

test("a deleted file is asked about by itself", () => {
  const changed = [{ path: "src/old.js", oldPath: null, status: "deleted" as const, added: 0, deleted: 9 }];
  const patch = { files: 1, added: 0, deleted: 9, bytes: 1, sha256: "x", applies: true, changed, warnings: [] };
  const fact = factsOf({ record: { patch } }, base).find(({ slot }) => slot.includes("file "));
  expect(fact).toMatchObject({ title: "What becomes of file `src/old.js`?", label: "deleted", weight: 2 });
});
