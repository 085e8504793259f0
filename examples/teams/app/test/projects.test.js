import assert from "node:assert/strict";
import { archiveProject, createProject, findUser, listProjects } from "../src/store.js";
import { testWithDatabase } from "./support.js";

const ada = 1;
const names = (projects) => projects.map((project) => project.name);

testWithDatabase("lists the projects of a user with the number of open tasks", async (db) => {
  assert.deepEqual(await listProjects(db, ada), [
    { id: 1, name: "Conference talk", open: 3, total: 4 },
    { id: 2, name: "Garden", open: 1, total: 2 },
  ]);
});

testWithDatabase("shows a new project to its owner and to nobody else", async (db) => {
  const [chidi, lin] = [3, 12];
  await createProject(db, { ownerId: lin, name: "Family tree" });
  assert.deepEqual(names(await listProjects(db, lin)), ["Family tree"]);
  assert.deepEqual(names(await listProjects(db, chidi)), ["Reading list"]);
});

testWithDatabase("refuses a second project of the same name and owner", async (db) => {
  await assert.rejects(createProject(db, { ownerId: ada, name: "Garden" }), { code: "23505" });
});

testWithDatabase("takes an archived project off the list", async (db) => {
  assert.equal(await archiveProject(db, 1), true);
  assert.ok(!names(await listProjects(db, ada)).includes("Conference talk"));
});

testWithDatabase("finds a user by address", async (db) => {
  assert.deepEqual(await findUser(db, "ada@example.com"), { id: ada, email: "ada@example.com", name: "Ada" });
  assert.equal(await findUser(db, "nobody@example.com"), null);
});
