import { inspect } from "node:util";
import { expect, test } from "vitest";
import { identifier, literal, parseAddress, placeOf, toUrl } from "../../src/clients/postgres.js";
import type { MultirunError } from "../../src/model/error.js";
import { Secret } from "../../src/model/secret.js";
import { queryAt, useServer, withAddress } from "../support/postgres.js";

const server = useServer();

test("a URL is taken apart and put together again", () => {
  const url = "postgres://us%40er:p%3A%2F@db.example:6543/my%20db?sslmode=require&options=-c%20a%3Db";
  const address = parseAddress(new Secret(url));
  expect(address).toEqual({
    host: "db.example",
    port: 6543,
    database: "my db",
    user: "us@er",
    password: "p:/",
    parameters: { sslmode: "require", options: "-c a=b" },
  });
  expect(toUrl(address).reveal()).toBe(url);
});

test("port and database may be left out, and an address may be IPv6", () => {
  const address = parseAddress(new Secret("postgresql://me:pw@[::1]"));
  expect(placeOf(address)).toBe("[::1]:5432/me");
  expect(parseAddress(toUrl(address))).toEqual(address);
});

const refused: [url: string, rule: RegExp][] = [
  ["no url sesame", /cannot be read/],
  ["postgres://me:50%sesame@host/db", /cannot be read/],
  ["mysql://me:sesame@host/db", /begins with "mysql:\/\/"/],
  ["postgres:///db?password=sesame", /parameter "password"/],
  ["postgres://me:sesame@/db", /cannot be read|names no host/],
  ["postgres://host/sesame", /names no user/],
  ["postgres://sesame@host/db", /has no password/],
  ["postgres://me:sesame@host/db?sslkey=%2Fsesame", /parameter "sslkey"/],
];

for (const [url, rule] of refused) {
  test(`the URL ${url} is refused without being shown`, () => {
    let thrown: MultirunError | undefined;
    try {
      parseAddress(new Secret(url));
    } catch (error) {
      thrown = error as MultirunError;
    }
    expect(thrown).toMatchObject({ code: "bad_input", message: expect.stringMatching(rule) });
    expect(inspect(thrown)).not.toContain("sesame");
  });
}

test("variables of the caller's have no part in a connection", async () => {
  Object.assign(process.env, {
    PGSSLMODE: "require",
    PGOPTIONS: "-c search_path=nowhere",
    PGAPPNAME: "x",
    PGUSER: "nobody",
  });
  try {
    const rows = await queryAt(
      server.url,
      "SELECT current_setting('search_path') AS path, current_setting('application_name') AS app",
    );
    expect(rows).toEqual([{ path: '"$user", public', app: "multirun" }]);
  } finally {
    for (const key of ["PGSSLMODE", "PGOPTIONS", "PGAPPNAME", "PGUSER"]) delete process.env[key];
  }
});

test("names and texts of every kind arrive as they are", async () => {
  for (const text of ["a'b", 'a"b', "a\\b", "a\\'b", "--", "ü😀", "$1", "%s"]) {
    const rows = await queryAt(server.url, `SELECT ${literal(text)} AS ${identifier(text)}`);
    expect(rows).toEqual([{ [text]: text }]);
  }
});

test("a password with letters that mean something in a URL logs in", async () => {
  await server.query(`CREATE ROLE odd LOGIN PASSWORD 'a:b/c@d?e#f%g&h+i j'; GRANT CONNECT ON DATABASE postgres TO odd`);
  const url = withAddress(server.url, { user: "odd", password: "a:b/c@d?e#f%g&h+i j" });
  expect(await queryAt(url, "SELECT current_user::text AS u")).toEqual([{ u: "odd" }]);
});
