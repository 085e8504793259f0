import { expect, test } from "vitest";
import { missingArtifacts, pathViolations } from "../../../src/capture/contract/paths.js";
import type { ChangedFile } from "../../../src/model/record.js";

const changed = (path: string, oldPath: string | null = null): ChangedFile => ({
  path,
  oldPath,
  status: oldPath === null ? "modified" : "renamed",
  added: 1,
  deleted: 0,
});

test("a path outside all that is allowed is a violation, and so is each end of a rename", () => {
  const files = [changed("src/a.ts"), changed("docs/a.md"), changed("src/b.ts", "lib/b.ts")];
  expect(pathViolations({ allow: ["src/**"] }, files)).toEqual([
    { rule: "allow", path: "docs/a.md" },
    { rule: "allow", path: "lib/b.ts" },
  ]);
});

test.each([
  ["as it is written", ".github/**", ".github/workflows/a.yml"],
  ["in other letters", ".github/**", ".GitHub/workflows/a.yml"],
  ["with the end of a line in its name", ".github/**", ".github/a\n.yml"],
  ["with a separator of lines in its name", ".github/**", ".github/a\u2028b.yml"],
  ["with an accent of its own", "caf\u00e9/**", "cafe\u0301/menu"],
  ["in a folder that is denied by its bare name", "secrets", "secrets/deep/key"],
  ["as the folder itself, turned into a file or a link", ".github/**", ".github"],
])("a denied path is denied %s", (_, deny, path) => {
  expect(pathViolations({ deny: [deny] }, [changed(path)])).toEqual([{ rule: `deny ${deny}`, path }]);
});

test("what is not denied stays so", () => {
  const files = ["github/a", "src/.github.ts", "secrets.md", "a/secrets"].map((path) => changed(path));
  expect(pathViolations({ deny: [".github/**", "secrets"] }, files)).toEqual([]);
});

test("what is required must be among what a run leaves changed; where it changed nothing, nothing is missing", () => {
  const contract = { require: ["docs/**", "CHANGELOG.md"] };
  const rules = (files: ChangedFile[]) => missingArtifacts(contract, files).map(({ rule }) => rule);
  expect(rules([changed("docs/a.md"), changed("CHANGELOG.md")])).toEqual([]);
  expect(rules([changed("docs/a.md")])).toEqual(["require CHANGELOG.md"]);
  expect(rules([{ ...changed("docs/a.md"), status: "deleted" }, changed("changelog.md")])).toEqual([
    "require docs/**",
    "require CHANGELOG.md",
  ]);
  expect(rules([])).toEqual([]);
});
