import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWork, listWork } from "../../src/isolate/work.js";
import { experimentId } from "../../src/model/ids.js";
import { temporaryFolder } from "../support/repository.js";

const experiment = experimentId.parse("swift-otter-1");
const anyone = { experiment, run: "base", attempt: 1 } as const;

function setUp(experimentFolder = "/somewhere/out") {
  const temporary = temporaryFolder();
  const work = join(temporary, "multirun-swift-otter-1");
  const open = (folder = experimentFolder) =>
    createWork({ experiment, experimentFolder: folder, work, now: () => Date.UTC(2026, 0, 1) });
  return { temporary, work, open };
}

test("a work folder can be passed through, not listed, and says whose it is", async () => {
  const { work, open } = setUp();

  await open().acquire(anyone);

  expect(statSync(work).mode & 0o777).toBe(0o711);
  expect(JSON.parse(readFileSync(join(work, ".multirun.json"), "utf8"))).toEqual({
    version: 1,
    experiment,
    experimentFolder: "/somewhere/out",
    createdAt: "2026-01-01T00:00:00.000Z",
  });
});

test("a work folder of the same experiment is used again with what it holds", async () => {
  const { work, open } = setUp();
  await open().acquire(anyone);
  writeFileSync(join(work, "kept"), "");

  await open().acquire(anyone);

  expect(existsSync(join(work, "kept"))).toBe(true);
});

test("a folder whose maker crashed before the marker is taken over", async () => {
  const { work, open } = setUp();
  mkdirSync(work);
  writeFileSync(join(work, ".multirun.json.1234.tmp"), "{");

  await open().acquire(anyone);
  await open().release(anyone);

  expect(existsSync(work)).toBe(false);
});

test.each([
  ["is no folder of this user", (work: string) => writeFileSync(work, "")],
  ["is no folder of this user", (work: string) => symlinkSync("/tmp", work)],
  ["carries no marker", (work: string) => mkdirSync(join(work, "something"), { recursive: true })],
])("a work folder that %s is neither used nor removed", async (why, make) => {
  const { work, open } = setUp();
  make(work);

  for (const call of ["acquire", "release"] as const) {
    await expect(open()[call](anyone)).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining(why),
    });
  }
  expect(existsSync(work)).toBe(true);
});

test("a work folder of another experiment is neither used nor removed", async () => {
  const { work, open } = setUp();
  await open("/elsewhere/out").acquire(anyone);

  await expect(open().acquire(anyone)).rejects.toThrow("belongs to the experiment swift-otter-1 in /elsewhere/out");
  await expect(open().release(anyone)).rejects.toThrow("/elsewhere/out");
  expect(readdirSync(work)).toEqual([".multirun.json"]);
});

test("release removes everything and tolerates that nothing is there", async () => {
  const { work, open } = setUp();
  await open().acquire(anyone);
  mkdirSync(join(work, "r01-1/repo"), { recursive: true });

  await open().release(anyone);
  await open().release(anyone);

  expect(existsSync(work)).toBe(false);
});

test("only folders with our name, our marker and our user are listed", async () => {
  const { temporary, work, open } = setUp();
  await open().acquire(anyone);
  mkdirSync(join(temporary, "multirun-empty"));
  mkdirSync(join(temporary, "multirun-broken"));
  writeFileSync(join(temporary, "multirun-broken/.multirun.json"), "{}");
  symlinkSync(work, join(temporary, "multirun-link"));
  writeFileSync(join(temporary, "multirun-file"), "");

  expect((await listWork(temporary)).map(({ path }) => path)).toEqual([work]);
  expect(await open().list()).toEqual([{ kind: "work", id: work, holder: anyone }]);
});
