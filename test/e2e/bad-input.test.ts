import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Sandbox, sandbox } from "../support/cli.js";

type Case = [name: string, args: (place: Sandbox, out: string) => string[], said: string];

const basic = (place: Sandbox, out: string, ...more: string[]) => [
  "run",
  "--task",
  place.write("task.md", "Do it.\n"),
  "--command",
  "true",
  "--repo",
  place.repo,
  "--out",
  out,
  ...more,
];

const cases: Case[] = [
  [
    "a folder that is no repo",
    (place, out) => [...basic(place, out), "--repo", place.temporary],
    "is not in a git repository",
  ],
  [
    "a folder that is not there",
    (place, out) => [...basic(place, out), "--repo", "/no/such"],
    '"/no/such" is no folder',
  ],
  ["a repo without a commit", (place, out) => [...basic(place, out), "--repo", unborn(place)], "has no commit yet"],
  ["an unknown ref", (place, out) => basic(place, out, "--base", "nope"), '--base: "nope" is no commit'],
  ["a ref that looks like an option", (place, out) => basic(place, out, "--base=--all"), '"--all" is no commit'],
  [
    "something to show that is not there",
    (place, out) => basic(place, out, "--expose", "/no/such/tool"),
    'expose: "/no/such/tool" is not there',
  ],
  ["an experiment to sweep that nobody knows", () => ["sweep", "nope"], '"nope" is no experiment'],
  ["no run at all", (place, out) => basic(place, out, "-n", "0"), "runs: 0: must be from 1 to 256"],
  ["too many runs", (place, out) => basic(place, out, "-n", "257"), "runs: 257: must be from 1 to 256"],
  ["a number that is none", (place, out) => basic(place, out, "-n", "ten"), 'runs: "ten"'],
  ["an empty task", (place, out) => [...basic(place, out), "--task", place.write("empty.md", " \n")], "it has no text"],
  [
    "a task that is not there",
    (place, out) => [...basic(place, out), "--task", "/no/task.md"],
    '"/no/task.md" cannot be read',
  ],
  [
    "an unknown key in the task",
    (place, out) => [...basic(place, out), "--task", place.write("t.md", "---\ncheks: a\n---\nx")],
    'unknown key "cheks"; did you mean "checks"?',
  ],
  [
    "an unknown key in the config",
    (place, out) => basic(withConfig(place, "timout: 3m"), out),
    'unknown key "timout"; did you mean "timeout"?',
  ],
  ["an unknown option", (place, out) => basic(place, out, "--timout", "3m"), "unknown option '--timout'"],
  ["an impossible duration", (place, out) => basic(place, out, "--timeout", "0s"), '"0s" is no duration'],
  [
    "an agent program that is not found",
    (place, out) => [...basic(place, out), "--command", "no-such-agent --now"],
    'agent program "no-such-agent" is not found',
  ],
  [
    "an agent file that is not committed",
    (place, out) => [...basic(withFile(place, "agent.sh"), out), "--command", "./agent.sh"],
    'agent program "./agent.sh" is not found in the commit',
  ],
  [
    "an unknown agent",
    (place, out) => [
      "run",
      "--task",
      place.write("task.md", "x"),
      "--agent",
      "cloude",
      "--repo",
      place.repo,
      "--out",
      out,
    ],
    'agent "cloude" has no command line; did you mean "claude"?',
  ],
  [
    "a seed that is not there",
    (place, out) => basic(place, out, "--seed", "no/*.sql"),
    'seed: "no/*.sql" matches no file',
  ],
  [
    "a seed that fails",
    (place, out) => basic(place, out, "--seed", place.write("seed.sql", "SELECT 1;\nCREATE TABEL a ();\n")),
    "42601",
  ],
  [
    "a setup that fails",
    (place, out) => basic(place, out, "--database", "embedded", "--setup", "echo oh no; exit 3"),
    "setup fails on the untouched project",
  ],
  [
    "a database that does not answer",
    (place, out) =>
      basic(place, out, "--database", "postgres", "--database-url", "postgres://me:hunter2hunter2@127.0.0.1:1/x"),
    "127.0.0.1:1",
  ],
  [
    "a URL that is none",
    (place, out) => basic(place, out, "--database", "postgres", "--database-url", "not a url"),
    "--database-url",
  ],
  ["a limit nothing keeps", (place, out) => basic(place, out, "--budget", "3"), "--budget"],
  [
    "a folder with another experiment",
    (place, out) => basic(place, used(out, "experiment.json")),
    "holds another experiment",
  ],
  ["a folder with anything in it", (place, out) => basic(place, used(out, "thesis.tex")), "is not empty"],
  ["an experiment that is none", (place) => ["resume", place.folder], "it has no experiment.json"],
];

function unborn(place: Sandbox): string {
  const repo = join(place.folder, "unborn");
  execFileSync("git", ["init", "--quiet", repo]);
  return repo;
}

function withConfig(place: Sandbox, yaml: string): Sandbox {
  mkdirSync(join(place.repo, ".github"));
  writeFileSync(join(place.repo, ".github", "multirun.yml"), yaml);
  return place;
}

function withFile(place: Sandbox, name: string): Sandbox {
  writeFileSync(join(place.repo, name), "");
  return place;
}

function used(out: string, name: string): string {
  mkdirSync(out);
  writeFileSync(join(out, name), "{}");
  return out;
}

test.each(cases)(
  "%s is exit code 2, with value, rule and next action, and nothing was started",
  async (name, args, said) => {
    const place = sandbox();
    const out = join(place.folder, "out");
    const ended = await place.run(...args(place, out));
    expect(ended.code, ended.stderr).toBe(2);
    expect(ended.stderr).toContain(said);
    expect(ended.stderr.trim().split("\n").length).toBeGreaterThan(1);
    expect(ended.stderr + ended.stdout).not.toContain("hunter2");
    expect(ended.stdout).toBe("");
    expect(place.left()).toEqual([]);
    if (!name.startsWith("a folder with")) expect(existsSync(out)).toBe(false);
  },
);

test("less free disk than the plan needs is refused with both figures", async () => {
  const { requireDisk } = await import("../../src/plan/disk.js");
  const { errorOf } = await import("../support/expect.js");
  const error = await errorOf(() => requireDisk("/", 2 ** 60));
  expect(error.code).toBe("bad_input");
  expect(error.message).toMatch(/^\/ has \d+ MiB free, the plan needs \d+ MiB$/);
});
