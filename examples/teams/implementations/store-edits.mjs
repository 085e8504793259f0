/**
 * Edits of the app's `src/store.js`. The text to replace must be there exactly once, so an edit that no longer fits the
 * app fails instead of doing nothing.
 */

export const createProjectTakesTeam = [
  ["createProject(db, { ownerId, name }) {", "createProject(db, { ownerId, name, teamId = null }) {"],
  [
    `"insert into projects (owner_id, name) values ($1, $2) returning id, owner_id, name, archived",
    [ownerId, name],`,
    `\`insert into projects (owner_id, name, team_id) values ($1, $2, $3)
     returning id, owner_id, name, archived, team_id\`,
    [ownerId, name, teamId],`,
  ],
];

const ownProjects = "where p.owner_id = $1\n";

export const listIncludesTeams = [
  [
    ownProjects,
    "where (p.owner_id = $1 or p.team_id in (select m.team_id from team_members m where m.user_id = $1))\n",
  ],
];

/** The same without the brackets: `and not p.archived` then holds for the projects of teams only. */
export const listForgetsBrackets = [
  [
    ownProjects,
    "where p.owner_id = $1\n         or p.team_id in (select m.team_id from team_members m where m.user_id = $1)\n",
  ],
];

/** @param {string} text @param {string[][]} edits */
export function applyEdits(text, edits) {
  return edits.reduce((edited, [from, to]) => {
    const parts = edited.split(from);
    if (parts.length !== 2) {
      throw new Error(`src/store.js holds this ${parts.length - 1} times instead of once: ${from.trim()}`);
    }
    return parts.join(to);
  }, text);
}
