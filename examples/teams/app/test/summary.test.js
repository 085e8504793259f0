import assert from "node:assert/strict";
import { test } from "node:test";
import { overdue, projectLine } from "../src/summary.js";

test("says how much of a project is left", () => {
  assert.equal(projectLine({ name: "Garden", open: 1, total: 2 }), "Garden: 1 of 2 to do");
  assert.equal(projectLine({ name: "Garden", open: 0, total: 2 }), "Garden: all done");
  assert.equal(projectLine({ name: "Garden", open: 0, total: 0 }), "Garden: no tasks yet");
});

test("counts a task as overdue from the day after it was due", () => {
  const task = { title: "Order seeds", due: "2026-02-15", done: false };
  assert.deepEqual(overdue([task], "2026-02-15"), []);
  assert.deepEqual(overdue([task], "2026-02-16"), [task]);
});

test("never counts done tasks and tasks without a date as overdue", () => {
  assert.deepEqual(overdue([{ due: "2026-02-15", done: true }], "2026-12-31"), []);
  assert.deepEqual(overdue([{ due: null, done: false }], "2026-12-31"), []);
});
