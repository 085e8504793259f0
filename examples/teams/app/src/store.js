/** Every query of the app. Each function takes a connected client first. */

export async function findUser(db, email) {
  const { rows } = await db.query("select id, email, name from users where email = $1", [email]);
  return rows[0] ?? null;
}

/** The projects a user works on, by name, with the number of tasks still open. */
export async function listProjects(db, userId) {
  const { rows } = await db.query(
    `select p.id, p.name, count(t.id) filter (where t.done_at is null)::int as open, count(t.id)::int as total
       from projects p
       left join tasks t on t.project_id = p.id
      where p.owner_id = $1
        and not p.archived
      group by p.id
      order by p.name, p.id`,
    [userId],
  );
  return rows;
}

export async function createProject(db, { ownerId, name }) {
  const { rows } = await db.query(
    "insert into projects (owner_id, name) values ($1, $2) returning id, owner_id, name, archived",
    [ownerId, name],
  );
  return rows[0];
}

/** Takes a project off the list; its tasks stay. */
export async function archiveProject(db, projectId) {
  const { rowCount } = await db.query("update projects set archived = true where id = $1", [projectId]);
  return rowCount === 1;
}

/** Open tasks first, then the most urgent; tasks without a date come last. */
export async function listTasks(db, projectId) {
  const { rows } = await db.query(
    `select id, title, priority, due::text, done_at is not null as done
       from tasks
      where project_id = $1
      order by done, priority, due nulls last, id`,
    [projectId],
  );
  return rows;
}

export async function addTask(db, { projectId, title, priority = 2, due = null }) {
  const { rows } = await db.query(
    `insert into tasks (project_id, title, priority, due) values ($1, $2, $3, $4)
     returning id, title, priority, due::text, false as done`,
    [projectId, title, priority, due],
  );
  return rows[0];
}

/** False where the task is unknown or was done before: the first time stays. */
export async function completeTask(db, taskId) {
  const { rowCount } = await db.query("update tasks set done_at = now() where id = $1 and done_at is null", [taskId]);
  return rowCount === 1;
}
