import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import pg from "pg";
import { applyEdits, createProjectTakesTeam, listForgetsBrackets, listIncludesTeams } from "./store-edits.mjs";
import { wordings } from "./wordings.mjs";

/** @typedef {import("../choices.mjs").Choice} Choice */

/** The run that renames says group wherever the others say team: tables, columns, functions, files and remarks. */
const named = (choice, text) =>
  choice.role === "renames" ? text.replaceAll("team", "group").replaceAll("Team", "Group") : text;

const read = (name) => readFile(new URL(name, import.meta.url), "utf8");

async function write(choice, path, text) {
  const place = named(choice, path);
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, named(choice, text));
  return place;
}

/** @param {Choice} choice */
async function migrationText(choice) {
  const pieces = ["teams.sql", choice.onTeamDelete === "cascade" ? "on-delete-cascade.sql" : "on-delete-set-null.sql"];
  if (choice.role === "adds an index") {
    pieces.push("index.sql");
  }
  if (choice.existingUsers === "personal team") {
    pieces.push("personal-teams.sql");
  }
  const texts = await Promise.all(pieces.map((piece) => read(`migration/${piece}`)));
  return texts.join("\n");
}

/** Writes the migration and runs it, whole or not at all. @param {Choice} choice @param {string} databaseUrl */
export async function migrate(choice, databaseUrl) {
  const text = await migrationText(choice);
  const path = await write(choice, "db/migrations/001_teams.sql", text);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Several statements in one simple query are one transaction.
    await client.query(await readFile(path, "utf8"));
  } finally {
    await client.end();
  }
  return path;
}

async function editStore(choice, edits) {
  const path = "src/store.js";
  const renamed = edits.map(([from, to]) => [from, named(choice, to)]);
  await writeFile(path, applyEdits(await readFile(path, "utf8"), renamed));
  return path;
}

/** @param {Choice} choice */
export const openProjectsToTeams = (choice) => editStore(choice, createProjectTakesTeam);

/** @param {Choice} choice */
export const listTeamProjects = (choice) =>
  editStore(choice, choice.role === "breaks a test" ? listForgetsBrackets : listIncludesTeams);

/** @param {Choice} choice */
export async function addTeams(choice) {
  const { purpose, membership } = wordings[choice.wording];
  const text = await read("src/teams.js");
  return write(choice, "src/teams.js", text.replace("{purpose}", purpose).replace("{membership}", membership));
}

/** @param {Choice} choice */
export async function addTests(choice) {
  return write(choice, "test/teams.test.js", await read("test/teams.test.js"));
}
