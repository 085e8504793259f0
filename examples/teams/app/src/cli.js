import { connect } from "./database.js";
import { createProject, findUser, listProjects, listTasks } from "./store.js";
import { overdue, projectLine } from "./summary.js";

const usage = `usage: node src/cli.js projects EMAIL
       node src/cli.js add EMAIL NAME`;

async function showProjects(db, user) {
  const today = new Date().toISOString().slice(0, 10);
  for (const project of await listProjects(db, user.id)) {
    const late = overdue(await listTasks(db, project.id), today);
    console.log(late.length > 0 ? `${projectLine(project)}, ${late.length} overdue` : projectLine(project));
  }
}

async function main([command, email, name]) {
  const known = (command === "projects" && email) || (command === "add" && email && name);
  if (!known) {
    throw new Error(usage);
  }
  const db = await connect();
  try {
    const user = await findUser(db, email);
    if (user === null) {
      throw new Error(`nobody here has the address ${email}`);
    }
    if (command === "add") {
      await createProject(db, { ownerId: user.id, name });
    }
    await showProjects(db, user);
  } finally {
    await db.end();
  }
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
