import { expect, test } from "vitest";
import { fill } from "../../../src/execute/prompts/fill.js";
import { type PromptOptions, renderPrompt } from "../../../src/execute/prompts/prompt.js";
import { claimsSchema } from "../../../src/model/claims.js";

const start = Date.parse("2026-01-01T12:00:00Z");
const prompt = (more: Partial<PromptOptions> = {}) =>
  renderPrompt({
    task: "Add {{teams}} & $& more.\n",
    contract: {},
    now: start,
    deadline: start + 30 * 60_000,
    claimsFile: "/run/claims.json",
    hasDatabase: false,
    ...more,
  });

test("an agent reads its deadline, where its claims go, and the task as it is at the end", () => {
  const text = prompt();
  expect(text).toContain("2026-01-01T12:30:00.000Z, 30 minutes from your start");
  expect(text).toContain("/run/claims.json");
  expect(text.endsWith("# Task\n\nAdd {{teams}} & $& more.\n\n")).toBe(true);
  expect(text).not.toMatch(/DATABASE_URL|Forbidden|match/);
});

test("a database and a contract are told where there are any", () => {
  const contract = {
    allow: ["src/**", "db/**"],
    deny: [".github/**"],
    forbid: ["new dependencies", "migrations that drop"],
    limits: { files: 20, lines: 500 },
    require: ["CHANGELOG.md"],
  };
  const text = prompt({ contract, hasDatabase: true });
  expect(text).toContain("DATABASE_URL names");
  expect(text).toContain("- Change only files that match: src/**, db/**\n");
  expect(text).toContain("- Do not change files that match: .github/**\n");
  expect(text).toContain(
    "- Forbidden: new dependencies, migrations that drop tables, columns, schemas or types\n" +
      "- Change at most: 20 files, 500 lines added and deleted together\n" +
      "- Of each of these, leave a new or changed file that matches: CHANGELOG.md\n",
  );
});

test("the claims that the prompt shows are claims", () => {
  const example = /\{\n {6}"version"[\s\S]*?\n {4}\}/.exec(prompt())?.[0] ?? "";
  expect(claimsSchema.parse(JSON.parse(example)).version).toBe(1);
});

test("a place without a value and a value without a place are faults", () => {
  expect(() => fill("{{a}} {{b}}", { a: "1" })).toThrow("{{b}}");
  expect(() => fill("{{a}}", { a: "1", c: "2" })).toThrow("no place for c");
  expect(() => fill("{{toString}}", {})).toThrow("toString");
});
