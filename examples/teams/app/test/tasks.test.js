import assert from "node:assert/strict";
import { addTask, completeTask, listTasks } from "../src/store.js";
import { testWithDatabase } from "./support.js";

const talk = 1;

testWithDatabase("lists open tasks first and the most urgent of them on top", async (db) => {
  const titles = (await listTasks(db, talk)).map((task) => task.title);
  assert.deepEqual(titles, ["Draft the slides", "Book the train", "Print hand-outs", "Choose a title"]);
});

testWithDatabase("adds a task of middle priority and without a date", async (db) => {
  const { id, ...task } = await addTask(db, { projectId: talk, title: "Rehearse" });
  assert.deepEqual(task, { title: "Rehearse", priority: 2, due: null, done: false });
  assert.ok((await listTasks(db, talk)).some((each) => each.id === id));
});

testWithDatabase("completes a task once", async (db) => {
  const { id } = await addTask(db, { projectId: talk, title: "Rehearse", priority: 1, due: "2026-03-22" });
  assert.equal(await completeTask(db, id), true);
  assert.equal(await completeTask(db, id), false);
  assert.equal((await listTasks(db, talk)).find((task) => task.id === id).done, true);
});

testWithDatabase("refuses a priority that does not exist", async (db) => {
  await assert.rejects(addTask(db, { projectId: talk, title: "Rehearse", priority: 4 }), { code: "23514" });
});
