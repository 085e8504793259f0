import type { ClientBase, ClientConfig, Client as OwnClient } from "pg";
import { badInput, codeOf, type MultirunError, messageOf } from "../model/error.js";
import { Secret } from "../model/secret.js";

/** A Postgres URL taken apart. Only ever in memory: it holds the password. */
export interface Address {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  /** `sslmode` and the like, handed on as they are. */
  parameters: Readonly<Record<string, string>>;
}

export interface ConnectOptions {
  /** For the connection to stand, milliseconds. */
  timeoutMs?: number;
  /** Settings from the first moment on; they win over what ALTER DATABASE and ALTER ROLE have set. */
  settings?: Readonly<Record<string, string>>;
}

/** Parameters that change where or as whom one connects: a run's URL must never inherit them. */
const refusedParameters = ["host", "hostaddr", "port", "user", "password", "passfile", "dbname", "database", "service"];
const clientCertificate = ["sslcert", "sslkey", "sslpassword"];
const defaultTimeoutMs = 10_000;

/**
 * `postgres://user:password@host:port/database?…`
 * @throws MultirunError `bad_input`; no message holds the URL, as it holds a password
 */
export function parseAddress(url: Secret): Address {
  const parsed = parseUrl(url);
  const parameters = Object.fromEntries(parsed.searchParams);
  const refused = Object.keys(parameters).find((key) => [...refusedParameters, ...clientCertificate].includes(key));
  if (refused) throw wrongUrl(`has the parameter "${refused}", which no other URL could be made from`);
  const user = decodeURIComponent(parsed.username);
  const password = decodeURIComponent(parsed.password);
  if (parsed.hostname === "") throw wrongUrl("names no host; sockets are not supported");
  if (user === "") throw wrongUrl("names no user");
  if (password === "") throw wrongUrl("has no password; where the server asks for none, write any");
  return {
    host: decodeURIComponent(parsed.hostname).replace(/^\[(.+)\]$/, "$1"),
    port: parsed.port === "" ? 5432 : Number(parsed.port),
    database: decodeURIComponent(parsed.pathname.slice(1)) || user,
    user,
    password,
    parameters,
  };
}

function parseUrl(url: Secret): URL {
  let parsed: URL;
  try {
    parsed = new URL(url.reveal());
    decodeURIComponent(parsed.username + parsed.password + parsed.hostname + parsed.pathname);
  } catch {
    throw wrongUrl("cannot be read; special characters in the password must be percent-encoded");
  }
  if (parsed.protocol !== "postgres:" && parsed.protocol !== "postgresql:") {
    throw wrongUrl(`begins with "${parsed.protocol}//" instead of "postgres://"`);
  }
  return parsed;
}

function wrongUrl(rule: string): MultirunError {
  return badInput(`The database URL ${rule}`, "Write it as postgres://user:password@host:port/database.");
}

/** The same place as a URL that `psql`, `pg` and every driver reads. */
export function toUrl(address: Address): Secret {
  const { host, port, database, user, password } = address;
  const place = `${host.includes(":") ? `[${host}]` : encodeURIComponent(host)}:${port}/${encodeURIComponent(database)}`;
  const query = new URLSearchParams(address.parameters).toString().replaceAll("+", "%20");
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return new Secret(`postgres://${login}@${place}${query ? `?${query}` : ""}`);
}

/** `host:port/database`: what messages may show of a URL. */
export function placeOf({ host, port, database }: Address): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}/${database}`;
}

/** A connection that somebody lends: to ask with, not to close. */
export type Client = ClientBase;

/** A connection of the caller's own, who ends it. */
export async function connect(url: Secret, options: ConnectOptions = {}): Promise<OwnClient> {
  const { Client } = await import("pg"); // Not at the top: `multirun --help` must not pay for it.
  const client = new Client(clientConfig(url, options));
  // A connection that breaks while idle says so here as well as in the next query; unheard it would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined); // It never stood; the first error is the one to tell.
    throw error;
  }
}

/** For `pg`. Nothing of the caller's PG… variables takes part. */
export function clientConfig(url: Secret, options: ConnectOptions): ClientConfig {
  const address = parseAddress(url);
  const parameters = { ...address.parameters, options: startupOptions(address, options.settings ?? {}) };
  return {
    connectionString: toUrl({ ...address, parameters: withLibpqMeaning(parameters) }).reveal(),
    ssl: false,
    application_name: "multirun",
    client_encoding: "UTF8",
    connectionTimeoutMillis: options.timeoutMs ?? defaultTimeoutMs,
  };
}

/** `pg` reads `sslmode=require` as `verify-full` and warns on stderr; everybody else reads it as libpq does. */
function withLibpqMeaning(parameters: Record<string, string>): Record<string, string> {
  return "sslmode" in parameters ? { uselibpqcompat: "true", ...parameters } : parameters;
}

function startupOptions({ parameters }: Address, settings: Readonly<Record<string, string>>): string {
  const ours = Object.entries({ client_min_messages: "warning", ...settings }).map(
    ([key, value]) => `-c ${key}=${value.replace(/[\\ ]/g, "\\$&")}`,
  );
  return [parameters["options"], ...ours].filter(Boolean).join(" ");
}

/**
 * Connects, uses, disconnects, whatever happens.
 * @param signal aborted, it breaks the connection: a query that runs in it fails
 * @throws what `pg` throws; `unreachable` turns it into a sentence
 */
export async function withClient<T>(
  url: Secret,
  options: ConnectOptions,
  use: (client: Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const client = await connect(url, options);
  const end = () => client.end();
  signal?.addEventListener("abort", end);
  if (signal?.aborted) void end();
  try {
    signal?.throwIfAborted();
    return await use(client);
  } finally {
    signal?.removeEventListener("abort", end);
    // A server that hangs does not answer a second farewell either.
    if (!signal?.aborted) await client.end();
  }
}

/** Says where nothing answered or who was turned away, and never the password. */
export function unreachable(error: unknown, address: Address): MultirunError {
  const { message, hint } = reason(error, address);
  return badInput(`Database server ${placeOf(address)}: ${message}`, hint, error);
}

function reason(error: unknown, { user, database }: Address): { message: string; hint: string } {
  const code = codeOf(error) ?? "";
  if (code === "28P01" || code === "28000") {
    return {
      message: `user "${user}" was turned away (${code})`,
      hint: "Check user and password of the database URL.",
    };
  }
  if (code === "3D000") {
    return { message: `has no database "${database}"`, hint: "Name an existing database in the database URL." };
  }
  const said = messageOf(error) || code || "no answer";
  return { message: `cannot be reached: ${said}`, hint: "Check host and port of the database URL, and that it runs." };
}

/** Quotes a name for SQL. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes a text for SQL, for commands that take no parameters. */
export function literal(text: string): string {
  return `${text.includes("\\") ? "E" : ""}'${text.replaceAll("'", "''").replaceAll("\\", "\\\\")}'`;
}
