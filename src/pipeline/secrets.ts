import { adapterOf } from "../execute/agents.js";
import { agentNames } from "../model/agent.js";
import type { Deps } from "../model/deps.js";
import { Secret, urlSecrets } from "../model/secret.js";
import { keysIn } from "./models.js";

/** Shorter passwords of the user's own server are words like `postgres`, which stand in every project. */
const shortestPassword = 12;

/** What an experiment knows from its start and nothing of it may hold: keys and logins for models, and the server's URL. */
export function secretsOfCaller(environment: Deps["environment"], databaseUrl: Secret | null): Secret[] {
  const logins = agentNames.flatMap((name) => adapterOf(name)?.logins ?? []);
  const values = [...new Set(logins)].flatMap((variable) => environment[variable] || []);
  const keys = Object.values(keysIn(environment));
  const { NEON_API_KEY: neon } = environment;
  if (neon) keys.push(new Secret(neon));
  return [...keys, ...values.map((value) => new Secret(value)), ...(databaseUrl ? serverSecrets(databaseUrl) : [])];
}

/** Of a server that is not one run's alone. */
export function serverSecrets(url: Secret): Secret[] {
  return urlSecrets(url).filter((secret) => secret.reveal().length >= shortestPassword);
}
