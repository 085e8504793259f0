import { expect, test } from "vitest";
import { tellExcerpts } from "../../src/facts/excerpts.js";
import { runIds } from "../../src/model/ids.js";
import type { Decision } from "../../src/model/report.js";
import { run } from "../support/runs.js";

const patch = [
  "diff --git a/app.py b/app.py",
  "--- a/app.py",
  "+++ b/app.py",
  "@@ -10,3 +10,4 @@ def load(path):",
  " one",
  "-two",
  "+check(path)",
  "+two",
  " three",
  "",
].join("\n");

function decisionOf(line: number | null): Decision[] {
  const [first, second] = runIds(2);
  const option = (id: string, label: string, runs: Decision["options"][number]["runs"]) => ({
    id,
    label,
    runs,
    share: 0.5,
    interval: [0, 1] as [number, number],
    risk: null,
    reference: [],
  });
  if (first === undefined || second === undefined) throw new Error("two runs");
  const evidence = [{ run: first, file: "app.py", line }];
  const fact = { slot: "s", aspect: "call", title: "t", topic: "t", answers: [], evidence };
  return [
    {
      id: "D1",
      title: "t",
      dimension: "code",
      class: "insufficient",
      worstClass: "insufficient",
      bestClass: "insufficient",
      counted: 2,
      of: 2,
      notApplicable: [],
      missing: [],
      options: [option("a", "calls `check()`", [first]), option("b", "not called", [second])],
      disagreement: 1,
      weight: 2,
      sameRunsAs: [],
      ask: true,
      main: true,
      facts: [fact],
    },
  ];
}

test("an option shows the changed lines around the place one of its runs was read from", () => {
  const [decision] = tellExcerpts(decisionOf(11), [run(1, { patch }), run(2, { patch: "" })]);
  expect(decision?.options.map(({ excerpt }) => excerpt)).toEqual([
    { run: "r01", file: "app.py", line: 11, text: " one\n-two\n+check(path)\n+two\n three" },
    undefined,
  ]);
});

test("a place without a line, or in no hunk, shows nothing", () => {
  for (const line of [null, 400]) {
    const [decision] = tellExcerpts(decisionOf(line), [run(1, { patch }), run(2, {})]);
    expect(decision?.options.some((option) => "excerpt" in option)).toBe(false);
  }
});
