import assert from "node:assert/strict";
import { createProject, listProjects } from "../src/store.js";
import { addMember, createTeam, listTeams } from "../src/teams.js";
import { testWithDatabase } from "./support.js";

const [ada, bela, lin] = [1, 2, 12];

testWithDatabase("puts whoever creates a team into it", async (db) => {
  const team = await createTeam(db, { ownerId: ada, name: "Organisers" });
  assert.ok((await listTeams(db, ada)).some((each) => each.id === team.id));
});

testWithDatabase("lets a user be in several teams, and adds nobody twice", async (db) => {
  const before = (await listTeams(db, bela)).length;
  for (const name of ["Organisers", "Speakers"]) {
    const team = await createTeam(db, { ownerId: ada, name });
    await addMember(db, { teamId: team.id, userId: bela });
    await addMember(db, { teamId: team.id, userId: bela });
  }
  assert.equal((await listTeams(db, bela)).length, before + 2);
});

testWithDatabase("shows a project of a team to its members and to nobody else", async (db) => {
  const team = await createTeam(db, { ownerId: ada, name: "Organisers" });
  await addMember(db, { teamId: team.id, userId: bela });
  const project = await createProject(db, { ownerId: ada, name: "Programme", teamId: team.id });
  const sees = async (userId) => (await listProjects(db, userId)).some((each) => each.id === project.id);
  assert.deepEqual([await sees(ada), await sees(bela), await sees(lin)], [true, true, false]);
});
