import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { configSchema, taskFrontMatter } from "../../src/model/config.js";
import { checksSchema } from "../../src/model/record.js";
import { parseStrict } from "../../src/model/strict.js";
import { errorOf } from "../support/expect.js";

const documented = readFileSync(new URL("../../docs/configuration.md", import.meta.url), "utf8");

/** Every fenced block of the page that is marked with a language. */
function blocks(language: string): string[] {
  return [...documented.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    (match) => match[1] ?? "",
  );
}

test("the documented configuration parses", () => {
  const [config] = blocks("yaml");
  const parsed = parseStrict(configSchema, parse(config ?? ""), { name: "docs" });
  expect(parsed.timeout).toBe(30 * 60_000);
  expect(parsed.checks).toEqual(["npm test"]);
  expect(parsed.database?.provider).toBe("embedded");
});

test("the documented front matter parses", () => {
  const [task] = blocks("markdown");
  const yaml = /^---\n([\s\S]*?)\n---/.exec(task ?? "")?.[1];
  expect(parseStrict(taskFrontMatter, parse(yaml ?? ""), { name: "docs" })).toMatchObject({
    n: 10,
    seed: ["db/seed/*.sql"],
  });
});

test("the configuration of contracts.md parses", () => {
  const contract = [
    "runs: 10\nparallel: 10\ntimeout: 30m\nstall: 10m\nagent: claude\nmodel: sonnet",
    "budget: { perRun: 2.00, total: 15.00 }",
    "database: { provider: neon, project: p, parent: main, database: app, role: app_owner, seed: db/seed/*.sql }",
    'checks: [ "npm test" ]\nsetup: "npm ci"',
    'contract: { allow: ["src/**", "db/**"], deny: [".github/**"], forbid: ["new dependencies"] }',
    "labels: [multirun]\npermission: write\nbranches: { keep: 7d }",
    "network: { allow: [npm] }\nfailOn: split",
  ].join("\n");
  expect(parseStrict(configSchema, parse(contract), { name: "contracts.md" })).toMatchObject({
    runs: 10,
    setup: ["npm ci"],
  });
});

test("a check result with an unknown key is refused by name", async () => {
  const check = { id: "c1", title: "t", status: "pass", durationMs: 1, tail: "", verdict: "good" };
  const error = await errorOf(() => parseStrict(checksSchema, [check], { name: "checks.json", code: "bad_artifact" }));
  expect(error.message).toContain('unknown key "[0].verdict"');
  expect(error.code).toBe("bad_artifact");
});
