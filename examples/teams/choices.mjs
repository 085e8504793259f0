import { createHash } from "node:crypto";

/**
 * What each scripted run does. Everything is drawn from the seed and the number of runs by ranking hashes, so that one run
 * can work out its own part without knowing the others, and a run that is repeated does the same again.
 *
 * @typedef {"renames" | "hangs" | "breaks a test" | "adds an index"} Role
 * @typedef {object} Choice
 * @property {string} run
 * @property {"cascade" | "set null"} onTeamDelete what becomes of a team's projects when the team is deleted
 * @property {"nothing" | "personal team"} existingUsers what those who have an account already get
 * @property {Role | null} role what this run does beside that, if anything
 * @property {number} wording which of several ways to word its comments
 */

/** Fewest runs for a role to be given out. From 20 runs on there is one more of each for every further ten. */
const fewestRuns = { hangs: 4, renames: 5, "breaks a test": 6, "adds an index": 7 };

/**
 * @param {number} seed
 * @param {number} runs how many runs the experiment has
 * @returns {Choice[]} one for each of r01, r02, …
 */
export function choices(seed, runs) {
  const ids = Array.from({ length: runs }, (_, index) => `r${String(index + 1).padStart(2, "0")}`);
  const half = Math.floor(runs / 2);

  const byDelete = ranked(ids, seed, "on team delete");
  const cascade = byDelete.slice(0, half);
  const setNull = byDelete.slice(half);

  // The second split cuts across the first: about half of its runs come from either side.
  const fromCascade = Math.floor(half / 2);
  const personal = [
    ...ranked(cascade, seed, "personal team").slice(0, fromCascade),
    ...ranked(setNull, seed, "personal team").slice(0, half - fromCascade),
  ];
  const roles = rolesOf(ids, personal, seed);

  return ids.map((run, index) => ({
    run,
    onTeamDelete: cascade.includes(run) ? "cascade" : "set null",
    existingUsers: personal.includes(run) ? "personal team" : "nothing",
    role: roles.get(run) ?? null,
    wording: (index + seed) % 3,
  }));
}

/**
 * A run hangs only where it gives out personal teams. Its migration does that before it hangs, so both of its choices can
 * be seen; had it chosen "nothing", nobody could tell whether it would have done more.
 */
function rolesOf(ids, personal, seed) {
  const roles = new Map();
  for (const [role, fewest] of Object.entries(fewestRuns)) {
    const wanted = ids.length < fewest ? 0 : Math.max(1, Math.floor(ids.length / 10));
    const free = (role === "hangs" ? personal : ids).filter((run) => !roles.has(run));
    for (const run of ranked(free, seed, role).slice(0, wanted)) {
      roles.set(run, role);
    }
  }
  return roles;
}

function ranked(runs, seed, purpose) {
  const rank = (run) => createHash("sha256").update(`${seed} ${purpose} ${run}`).digest("hex");
  return runs
    .map((run) => ({ run, rank: rank(run) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ run }) => run);
}
