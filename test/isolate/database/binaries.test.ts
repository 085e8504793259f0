import { execFileSync } from "node:child_process";
import { chmod, cp, lstat, mkdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nativeFolder, readyPrograms } from "../../../src/isolate/database/binaries.js";
import { canReach, serverUser } from "../../../src/isolate/database/server-user.js";
import { openFolder } from "../../support/postgres.js";

const isRoot = process.getuid?.() === 0;
let folder: string;
const native = () => join(folder, "modules", "native");
const copy = () => join(folder, "copy");

/** As npm may leave it: no execute bits, and no links. */
beforeEach(async () => {
  folder = await openFolder();
  await mkdir(join(folder, "modules"));
  const filter = async (path: string) => !path.endsWith(".a") && !(await lstat(path)).isSymbolicLink();
  await cp(nativeFolder(), native(), { recursive: true, filter });
  for (const program of ["initdb", "postgres"]) await chmod(join(native(), "bin", program), 0o644);
});

afterEach(async () => {
  await chmod(join(native(), "bin"), 0o755);
  await rm(folder, { recursive: true, force: true });
});

async function runs(program: string): Promise<string> {
  const user = await serverUser();
  return execFileSync(program, ["--version"], {
    encoding: "utf8",
    env: {},
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  });
}

test("missing execute bits and library links are put right where the programs are", async () => {
  const programs = await readyPrograms(native(), copy(), await serverUser());
  expect(programs.postgres).toBe(join(native(), "bin", "postgres"));
  expect(await runs(programs.postgres)).toContain("PostgreSQL");
  expect(await runs(programs.initdb)).toContain("PostgreSQL");
  const [link] = JSON.parse(await readFile(join(native(), "pg-symlinks.json"), "utf8"));
  expect((await lstat(join(native(), "..", link.target))).isSymbolicLink()).toBe(true);
});

test.runIf(isRoot)("programs the server's user cannot reach are copied to where it can", async () => {
  await chmod(join(folder, "modules"), 0o700);
  const programs = await readyPrograms(native(), copy(), await serverUser());
  expect(programs.postgres).toBe(join(copy(), "bin", "postgres"));
  expect(await runs(programs.postgres)).toContain("PostgreSQL");
  expect((await stat(join(native(), "bin", "postgres"))).mode & 0o111).toBe(0);
});

test.skipIf(isRoot)("programs in a folder of somebody else's are copied and put right there", async () => {
  await chmod(join(native(), "bin"), 0o555);
  await chmod(join(native(), "lib"), 0o555);
  const programs = await readyPrograms(native(), copy(), undefined);
  await chmod(join(native(), "lib"), 0o755);
  expect(programs.postgres).toBe(join(copy(), "bin", "postgres"));
  expect(await runs(programs.postgres)).toContain("PostgreSQL");
});

test.runIf(isRoot)("a folder is reached only where every folder above it lets one through", async () => {
  const user = await serverUser();
  expect(await canReach(native(), user)).toBe(true);
  await chmod(join(folder, "modules"), 0o700);
  expect(await canReach(native(), user)).toBe(false);
  expect(await canReach(native(), undefined)).toBe(true);
});
