import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checksSchema } from "../../src/model/record.js";
import { reportIn, sandbox } from "../support/cli.js";

test("a check's tests are compared one by one, and what passes the second time is blamed on nobody", async () => {
  const place = sandbox();
  // Two tests of the project; in r03 the check has bad luck once.
  const check = [
    'if [ "$MULTIRUN_RUN" = r03 ] && ! [ -e luck ]; then touch luck; echo "not ok 1 - lucky"; exit 1; fi',
    'echo "ok 1 - lucky"',
    'grep -q one app.txt && echo "ok 2 - keeps one" || { echo "not ok 2 - keeps one"; exit 1; }',
  ].join("; ");
  const task = `---\nchecks: { run: '${check.replaceAll("'", "''")}', report: "-", format: tap }\n---\nDo it.\n`;
  const agent = 'if [ "$MULTIRUN_RUN" = r02 ]; then echo two > app.txt; else echo more >> app.txt; fi';
  const ended = await place.experiment(agent, { runs: 4, task }).ended;
  expect(ended.code, ended.stderr).toBe(0);
  const results = (folder: string) =>
    checksSchema.parse(JSON.parse(readFileSync(join(place.out, folder, "checks.json"), "utf8")));
  expect(results("base")).toMatchObject([{ status: "pass", tests: [{ status: "pass" }, { status: "pass" }] }]);
  expect(results("runs/r02")).toMatchObject([{ status: "fail", tests: [{ status: "fail" }, { status: "pass" }] }]);
  expect(results("runs/r03")).toMatchObject([{ status: "unstable" }]);
  const report = reportIn(ended);
  expect(report.risks).toEqual([{ title: "test `keeps one` passes in base and fails here", runs: ["r02"], of: 3 }]);
  expect(report.runs[2]?.checks).toEqual({ passed: 0, total: 1, unstable: 1 });
  expect(report.candidate.run).not.toBe("r02");
});
