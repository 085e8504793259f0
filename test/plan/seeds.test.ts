import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readSeeds } from "../../src/plan/seeds.js";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "multirun-test-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, bytes: string | Buffer) => writeFile(join(folder, name), bytes);

test("seeds are read in the order they are named, those of one pattern by name", async () => {
  for (const name of ["b.sql", "a.sql", "z.sql"]) await write(name, `-- ${name}`);
  const read = readSeeds(["z.sql", "[ab].sql"], [folder]);
  expect(read.map(({ sql }) => sql)).toEqual(["-- z.sql", "-- a.sql", "-- b.sql"]);
});

test("a pattern that fits no file is refused", () => {
  expect(() => readSeeds(["db/*.sql"], [folder])).toThrow(`seed: "db/*.sql" matches no file in ${folder}`);
});

test("a byte order mark is no part of the SQL, though of the file's hash", async () => {
  const bytes = Buffer.from("\ufeffSELECT 'é'");
  await write("a.sql", bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expect(readSeeds(["a.sql"], [folder])).toEqual([{ path: join(folder, "a.sql"), sql: "SELECT 'é'", sha256 }]);
});

const wrong: { what: string; bytes: Buffer; place: string }[] = [
  { what: "Latin-1", bytes: Buffer.from("-- x\nSELECT 'caf\u00e9';", "latin1"), place: "byte 16 (line 2)" },
  { what: "UTF-16", bytes: Buffer.from("\ufeffSELECT 1", "utf16le"), place: "byte 0 (line 1)" },
  { what: "a cut-off character", bytes: Buffer.from("SELECT '✓").subarray(0, -1), place: "byte 8 (line 1)" },
  { what: "a surrogate", bytes: Buffer.from([0x2d, 0x2d, 0x0a, 0xed, 0xa0, 0x80]), place: "byte 3 (line 2)" },
];

for (const { what, bytes, place } of wrong) {
  test(`a seed with ${what} is refused, and the place is told`, async () => {
    await write("a.sql", bytes);
    expect(() => readSeeds(["a.sql"], [folder])).toThrow(
      expect.objectContaining({
        code: "bad_input",
        message: `seed: ${join(folder, "a.sql")} is not UTF-8 at ${place}`,
        hint: "Save it as UTF-8; pg_dump writes that with --encoding=UTF8.",
      }),
    );
  });
}
