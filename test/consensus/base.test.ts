import { expect, test } from "vitest";
import { reportOf } from "../support/report.js";
import { column, id, key, refers, run, snapshot, table, unique } from "../support/runs.js";

const users = table("users", { columns: [id(), column("email", "text")], constraints: [key("id"), unique("email")] });
const projects = table("projects", {
  columns: [id(), column("user_id", "integer")],
  constraints: [key("id"), refers("user_id", "users")],
});
const schema = snapshot([projects, users]);
const base = { schema, checks: null };

/** Six runs of which only the first `changed` touched the schema, to what is given. */
function reportWhere(changed: number, to: typeof schema) {
  return reportOf(
    [1, 2, 3, 4, 5, 6].map((n) => run(n, { schema: n <= changed ? to : schema })),
    base,
  );
}

test.each([
  ["drops a table", snapshot([users]), "drops table `projects`"],
  [
    "drops a column",
    snapshot([{ ...projects, columns: projects.columns.slice(0, 1) }, users]),
    "drops column `projects.user_id`",
  ],
])("the risk of a run that %s is counted among all runs, also those that left the schema alone", (_name, to, title) => {
  expect(reportWhere(1, to).risks).toEqual([{ title, runs: ["r01"], of: 6 }]);
});

test("runs that left the schema alone have kept what another altered", () => {
  const keyless = { ...users, constraints: users.constraints.slice(0, 1) };
  const renamed = { ...projects, name: "works" };
  const { decisions } = reportWhere(3, snapshot([renamed, keyless]));
  const told = decisions.map(({ title, counted, options }) => [
    title,
    counted,
    options.map(({ label }) => label).sort(),
  ]);
  expect(told).toContainEqual(["What happens to the name of table `projects`?", 6, ["it stays", "renamed to `works`"]]);
  expect(told).toContainEqual(["What becomes of the unique on `email` of `users`?", 6, ["dropped", "kept"]]);
});

test("what becomes of a column does not apply where its table is gone", () => {
  const without = snapshot([{ ...projects, columns: projects.columns.slice(0, 1) }, users]);
  const runs = [1, 2, 3, 4, 5, 6].map((n) => run(n, { schema: n < 3 ? without : n < 5 ? snapshot([users]) : schema }));
  const { decisions } = reportOf(runs, base);
  const column = decisions.find(({ title }) => title === "What becomes of `projects.user_id`?");
  expect(column).toMatchObject({ counted: 4, notApplicable: ["r03", "r04"] });
});

test("that the schema is changed is no row of its own where what changed divides the same runs", () => {
  const keyless = { ...users, constraints: users.constraints.slice(0, 1) };
  const { decisions } = reportWhere(3, snapshot([projects, keyless]));
  expect(decisions.map(({ title }) => title)).toEqual(["What becomes of the unique on `email` of `users`?"]);
});

test("where it is a row, it says what those that changed something have in common", () => {
  const teams = table("teams", { columns: [id(), column("name", "text")], constraints: [key("id")] });
  const [decision] = reportWhere(3, snapshot([projects, teams, users])).decisions;
  expect(decision?.title).toBe("Is the database schema changed?");
  expect(decision?.options.map(({ label }) => label).sort()).toEqual(["no", "yes: `teams`"]);
});
