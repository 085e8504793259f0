import { expect, test } from "vitest";
import { type FoundTest, nameTests } from "../../../src/execute/reports/found.js";
import { readGo } from "../../../src/execute/reports/go.js";
import { readJest } from "../../../src/execute/reports/jest.js";
import { readJUnit } from "../../../src/execute/reports/junit.js";
import { readTap } from "../../../src/execute/reports/tap.js";

/** As "id: status". */
function named(found: FoundTest[]): string[] {
  return nameTests(found, { folders: ["/w/repo"], secrets: [] }).map(({ id, status }) => `${id}: ${status}`);
}

test("pytest's JUnit file tells passed, failed, skipped and broken tests by module and name", () => {
  const report = `<?xml version="1.0" encoding="utf-8"?>
    <testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="5" hostname="h">
      <testcase classname="tests.test_api.TestTeams" name="test_create" time="0.002" />
      <testcase classname="tests.test_api" name="test_sum[1]" time="0.001" />
      <testcase classname="tests.test_api" name="test_sum[2]"><failure message="assert 2 == 1">&gt; assert</failure></testcase>
      <testcase classname="tests.test_api" name="test_later"><skipped type="pytest.skip" message="later">x</skipped></testcase>
      <testcase classname="tests.test_api" name="test_db"><error message="failed on setup">no &lt;db&gt;</error></testcase>
    </testsuite></testsuites>`;
  expect(named(readJUnit(report))).toEqual([
    "pytest › tests.test_api › test_db: error",
    "pytest › tests.test_api › test_later: skip",
    "pytest › tests.test_api › test_sum[1]: pass",
    "pytest › tests.test_api › test_sum[2]: fail",
    "pytest › tests.test_api.TestTeams › test_create: pass",
  ]);
});

test("JUnit suites stand within suites, or there is but one", () => {
  const nested = `<testsuites><testsuite name="a"><testsuite name="b"><testcase name="t" classname="b"/></testsuite></testsuite></testsuites>`;
  const single = `<testsuite name="com.x.ATest"><properties/><testcase name="t" classname="com.x.ATest"/></testsuite>`;
  expect(named(readJUnit(nested))).toEqual(["a › b › t: pass"]);
  expect(named(readJUnit(single))).toEqual(["com.x.ATest › t: pass"]);
});

test("go's events tell packages, tests and subtests; a test that only sums up its subtests is none", () => {
  const events = [
    { Action: "start", Package: "x/api" },
    { Action: "run", Package: "x/api", Test: "TestA" },
    { Action: "output", Package: "x/api", Test: "TestA", Output: '{"Action":"fail"}\n' },
    { Action: "pass", Package: "x/api", Test: "TestA/one" },
    { Action: "fail", Package: "x/api", Test: "TestA/two" },
    { Action: "fail", Package: "x/api", Test: "TestA" },
    { Action: "skip", Package: "x/api", Test: "TestB" },
    { Action: "fail", Package: "x/api" },
  ];
  const lines = ["# x/other", "other.go:3: undefined: y", ...events.map((each) => JSON.stringify(each)), "FAIL"];
  expect(named(readGo(lines.join("\n")))).toEqual([
    "x/api › TestA › one: pass",
    "x/api › TestA › two: fail",
    "x/api › TestB: skip",
  ]);
});

test("a test that fails after its subtests have passed is one of its own", () => {
  const tap = "TAP version 13\n    ok 1 - child\n    1..1\nnot ok 1 - parent\n1..1\n";
  expect(named(readTap(tap))).toEqual(["parent: fail", "parent › child: pass"]);
});

test("TAP points have directives, numbers and names in every spelling", () => {
  const tap = String.raw`some output
1..8
ok 1 - plain
not ok 2 broken # time=3ms
not ok 3 - unfinished # TODO one day
ok 4 - left out # SKIP no database
ok 5
ok
ok 7 - a \# in its name
okay, this is output
not ok 8 - last
`;
  expect(named(readTap(tap.replaceAll("\n", "\r\n")))).toEqual([
    "a # in its name: pass",
    "broken: fail",
    "last: fail",
    "left out: skip",
    "plain: pass",
    "test 5: pass",
    "test without a name: pass",
    "unfinished: skip",
  ]);
});

test("what a TAP test says of itself is not taken for tests", () => {
  const tap =
    "not ok 1 - real\n  ---\n  stack: |-\n    ok 2 - fake\n  ...\nok 2 - next\n---\nok 3 - after a line\n1..3\n";
  expect(named(readTap(tap))).toEqual(["after a line: pass", "next: pass", "real: fail"]);
});

test("TAP subtests may stand between braces after their parent, at any depth", () => {
  const tap = [
    "ok 1 - a.test.ts # time=2ms {",
    "    1..2",
    "    ok 1 - suite {",
    "        ok 1 - deep # time=1ms",
    "    }",
    "    ok 2 - flat",
    "}",
    "ok 2 - b.test.ts",
  ];
  expect(named(readTap(tap.join("\n")))).toEqual([
    "a.test.ts › flat: pass",
    "a.test.ts › suite › deep: pass",
    "b.test.ts: pass",
  ]);
});

test("Jest's JSON tells files relative to the workspace, and what was not run as skipped", () => {
  const assertion = (title: string, status: string) => ({ ancestorTitles: ["teams"], title, status, duration: 3 });
  const report = {
    numTotalTests: 3,
    testResults: [
      {
        name: "/w/repo/test/teams.test.js",
        status: "failed",
        assertionResults: [assertion("makes", "passed"), assertion("breaks", "failed"), assertion("waits", "pending")],
      },
      { name: "/w/repo/test/broken.test.js", status: "failed", message: "SyntaxError", assertionResults: [] },
    ],
  };
  expect(named(readJest(JSON.stringify(report)))).toEqual([
    "test/teams.test.js › teams › breaks: fail",
    "test/teams.test.js › teams › makes: pass",
    "test/teams.test.js › teams › waits: skip",
  ]);
});
