import type { RunArtifacts } from "../../src/model/fact.js";
import type { Report } from "../../src/model/report.js";
import { noBase, reportOf } from "./report.js";
import { check, column, id, key, refers, result, rowChanges, rowsOf, run, snapshot, table } from "./runs.js";

/** Names that try to be more than names. */
export const hostileNames = [
  "@everyone",
  "#1 fixes #2",
  "GH-1",
  "owner/repo#3",
  "www.example.com",
  "https://example.com/x",
  "mail@example.com",
  "[a](https://example.com)",
  "![a](https://example.com/p.png)",
  "<img src=x onerror=alert(1)>",
  "</details><h1>x",
  "<!-- multirun:v1:issue-42 -->",
  "a | b \\| c",
  "\\|\\\\|",
  "`x` ``y`` @me",
  "```",
  "line\nbreak\r\n\r\n# heading",
  "tab\there",
  "\u001b[31mred\u001b[0m \u0007 \u009b2J",
  "\u202eevil\u202c \u2066x\u2069 \u200bzero",
  "\ud800 lone \udfff",
  ":tada: _a_ *b* ~~c~~ $x$",
  "da39a3ee5e6b4b0d3255bfef95601890afd80709",
  "表の名前と絵文字🎉👩‍💻",
  "e\u0301\u0301\u0301",
  "__proto__",
  "constructor",
  "",
  "x".repeat(5_000),
];

const built = new Map<string, Report>();

/** Building is slow, and several tests look at each. */
export function hostileReport(name: string): Report {
  const report = built.get(name) ?? build(name);
  built.set(name, report);
  return report;
}

/** Ten runs in which every text that can come from an agent is one of these names; they split on all of it. */
function build(name: string): Report {
  const users = table("users", { columns: [id(), column(name, "text")], constraints: [key("id")] });
  const runs = Array.from({ length: 10 }, (_, at) => hostileRun(at + 1, name, users));
  return reportOf(
    runs,
    { ...noBase, schema: snapshot([users]), checks: [result(name)] },
    {
      planned: 11,
      experiment: { task: { title: name, text: name, sha256: "0", source: name }, notEnforced: [name] },
      resources: { acquired: 2, released: 1, leaked: [name], kept: [name] },
    },
  );
}

function hostileRun(n: number, name: string, users: ReturnType<typeof table>): RunArtifacts {
  const odd = n === 10;
  const half = n > 5;
  const own = odd ? `${name} odd` : name;
  const mine = table(own, {
    salt: n,
    columns: [
      id(half ? name : "integer"),
      column(own, half ? "text" : name, { default: half ? name : null, notNull: half }),
    ],
    constraints: [
      key("id"),
      refers(own, half ? "users" : own, half ? "cascade" : "set null"),
      check([own], half ? name : `${name} > 1`),
    ],
    rowSecurity: half ? "on" : "off",
  });
  const changes = rowChanges(
    rowsOf(own, { runRows: n }),
    rowsOf("users", {
      state: "matched",
      baseRows: 3,
      removed: { count: n, keys: [] },
      changedColumns: [{ name, rows: 1 }],
      changed: { count: 1, keys: [] },
    }),
  );
  return run(n, {
    schema: snapshot([mine, users]),
    rows: changes,
    checks: [result(name, half ? "pass" : "fail")],
    files: [name, `+${own}`],
    ...(n === 1 ? { outcome: "timed_out" as const, partial: true, reason: name } : {}),
  });
}
