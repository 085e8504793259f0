import { expect, test } from "vitest";
import { areOne, built, oneThing, runsWith, times } from "../../support/alignment.js";

const list = (name: string, columns = "id user_id>users title notes done:boolean rank:integer") => [
  built(name, columns),
];

test("two words of which every run uses one for the same are one where the columns say so", () => {
  const runs = runsWith(
    ...times(5, list("tasks")),
    ...times(5, list("todos", "id user_id>users title notes due_on:date")),
  );
  expect(areOne(runs, "tasks", "todos")).toBe(true);
});

test("two words that one run uses side by side are two things", () => {
  const both = [...list("tasks"), ...list("todos", "id user_id>users title notes due_on:date")];
  const runs = runsWith(
    both,
    ...times(4, list("tasks")),
    ...times(5, list("todos", "id user_id>users title notes due_on:date")),
  );
  expect(areOne(runs, "tasks", "todos")).toBe(false);
});

test("two words are not one for their complement alone: unlike columns keep them apart", () => {
  const runs = runsWith(
    ...times(5, list("tasks")),
    ...times(5, list("folders", "id user_id>users colour path:text size:bigint")),
  );
  expect(areOne(runs, "tasks", "folders")).toBe(false);
});

test("when something was deleted is never taken for another time", () => {
  const runs = runsWith(
    ...times(5, [built("tasks", "id user_id>users title deleted_at:timestamp with time zone")]),
    ...times(5, [built("tasks", "id user_id>users title last_seen_at:timestamp with time zone")]),
  );
  expect(oneThing(runs).filter((names) => names.includes("deleted_at"))).toEqual([]);
});
