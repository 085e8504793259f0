import { expect, test } from "vitest";
import type { Report, ReportRun } from "../../src/model/report.js";
import { renderMarkdown } from "../../src/report/markdown.js";
import { contradictionsOf, costOf, limitsSentence } from "../../src/report/supervision.js";
import { demoBase, demoRuns } from "../support/demo.js";
import { reportOf } from "../support/report.js";

/** The demo's report, with something more to say of its runs. */
function reportWith(more: (run: ReportRun, at: number) => Partial<ReportRun>): Report {
  const report = reportOf(demoRuns(), demoBase);
  return { ...report, runs: report.runs.map((run, at) => ({ ...run, ...more(run, at) })) };
}

test("what runs say and is not so is told once for all that say it", () => {
  const claims = ["says its tests pass; `npm test` fails"];
  const report = reportWith((_, at) => (at === 1 || at === 3 ? { claims } : {}));
  expect(contradictionsOf(report)).toEqual(["r02, r04 says its tests pass; `npm test` fails"]);
  expect(renderMarkdown(report)).toContain("**Said, and not so:** r02, r04 says its tests pass");
});

test("a sum with an unknown part is called at least, and unknown costs are no zero", () => {
  const tokens = { input: 700_000, output: 500_000, cached: 0 };
  expect(costOf(reportWith(() => ({})))).toBeUndefined();
  expect(costOf(reportWith(() => ({ costUsd: 1.25 })))).toBe("$12.50");
  expect(costOf(reportWith((_, at) => ({ costUsd: at === 0 ? null : 1 })))).toBe("at least $9.00");
  expect(costOf(reportWith((_, at) => ({ costUsd: 1, ...(at === 0 ? { usageAtLeast: true } : {}) })))).toBe(
    "at least $10.00",
  );
  expect(costOf(reportWith(() => ({ tokens })))).toBe("12,000,000 tokens, cost unknown");
});

test("the report says loudly what did not hold the agents back", () => {
  const report = reportWith(() => ({}));
  const of = (more: Partial<Report["experiment"]>) =>
    limitsSentence({ ...report, experiment: { ...report.experiment, ...more } });
  expect(of({ sandbox: "none" })).toMatch(/^No sandbox: /);
  expect(of({ sandbox: "bwrap" })).toBeUndefined();
  expect(of({ sandbox: "bwrap", direct: true })).toMatch(/neither limited nor metered/);
  expect(of({ sandbox: "bwrap", network: ["npm"] })).toBe("Network: only `npm`.");
  expect(of({ sandbox: "bwrap", network: [] })).toBe("Network: none.");
  const refusedHosts = (at: number) => [
    { host: "example.com:443", times: 3 },
    ...(at === 0 ? [{ host: "a:80", times: 1 }] : []),
  ];
  const asking = reportWith((_, at) => (at < 2 ? { refusedHosts: refusedHosts(at) } : {}));
  expect(limitsSentence({ ...asking, experiment: { ...asking.experiment, sandbox: "bwrap", network: ["npm"] } })).toBe(
    "Network: only `npm`. Asked for and refused: `example.com:443` (r01, r02), `a:80` (r01).",
  );
});
