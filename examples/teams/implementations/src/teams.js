// {purpose}

export async function createTeam(db, { ownerId, name }) {
  const { rows } = await db.query("insert into teams (owner_id, name) values ($1, $2) returning id, owner_id, name", [
    ownerId,
    name,
  ]);
  await addMember(db, { teamId: rows[0].id, userId: ownerId });
  return rows[0];
}

// {membership}
export async function addMember(db, { teamId, userId }) {
  await db.query("insert into team_members (team_id, user_id) values ($1, $2) on conflict do nothing", [
    teamId,
    userId,
  ]);
}

export async function listTeams(db, userId) {
  const { rows } = await db.query(
    `select t.id, t.owner_id, t.name
       from teams t
       join team_members m on m.team_id = t.id
      where m.user_id = $1
      order by t.name, t.id`,
    [userId],
  );
  return rows;
}
