import { expect, test } from "vitest";
import { factsOf } from "../support/facts.js";

const filesOf = (...files: string[]) =>
  factsOf({ files })
    .filter(({ slot }) => slot.includes("file "))
    .map(({ slot }) => slot)
    .sort();

test("files that tools or other projects wrote are no choice of a run", () => {
  const paths = ["package-lock.json", "dist/cli.js", "web/node_modules/a/index.js", "vendor/x/y.go", "api/a_pb2.py"];
  expect(filesOf("src/a.ts", ...paths)).toEqual(["file src/a.ts"]);
});
