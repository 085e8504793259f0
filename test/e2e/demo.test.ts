import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { choices } from "../../examples/teams/choices.mjs";
import { reportSchema } from "../../src/model/report.js";
import { reportIn, sandbox } from "../support/cli.js";

test("the demo finds what its agents were scripted to split on, and nothing is left", async () => {
  const place = sandbox();
  const out = join(place.folder, "out");
  const ended = await place.run("demo", "--seed", "3", "--out", out, "--json");
  expect(ended.code, ended.stderr).toBe(0);
  const report = reportSchema.parse(reportIn(ended));
  const script = choices(3, 10);
  const runsThat = (holds: (choice: (typeof script)[number]) => boolean) =>
    script.filter(holds).map((each) => each.run);

  const groupings = report.decisions.map((decision) => decision.options.map((option) => option.runs));
  const expected = [
    [runsThat((each) => each.onTeamDelete === "cascade"), runsThat((each) => each.onTeamDelete === "set null")],
    [runsThat((each) => each.existingUsers === "nothing"), runsThat((each) => each.existingUsers === "personal team")],
  ];
  for (const partition of expected) expect(groupings.map(byFirst)).toContainEqual(byFirst(partition));
  expect(report.decisions.map((decision) => decision.class)).toEqual(["split", "split"]);
  expect(report.experiment.scripted).toBe(true);

  const hung = runsThat((each) => each.role === "hangs");
  expect(report.runs.filter((run) => run.outcome === "timed_out").map((run) => run.id)).toEqual(hung);
  const broke = runsThat((each) => each.role === "breaks a test");
  expect(report.risks).toMatchObject([{ runs: broke }]);
  expect(report.resources.leaked).toEqual([]);
  expect(place.left()).toEqual([]);
});

test("the demo for people calls its agents scripted and says where to look next", async () => {
  const place = sandbox();
  const out = join(place.folder, "out");
  const ended = await place.run("demo", "-n", "3", "--out", out);
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stdout).toContain("scripted agents");
  expect(ended.stdout).toContain(join(out, "report.md"));
  expect(ended.stdout).toContain("cli.js run --task");
  // Paths are as long as they are, of what was made here and of the clone itself.
  const narrow = (line: string) => line.length <= 80 || line.includes(out) || line.includes("cli.js run --task");
  expect(ended.stdout.split("\n").filter((line) => !narrow(line))).toEqual([]);
  expect(readFileSync(join(out, "report.md"), "utf8")).toContain("scripted agents");
});

function byFirst(partition: readonly string[][]): string[][] {
  return partition.map((runs) => [...runs].sort()).sort((a, b) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1));
}
