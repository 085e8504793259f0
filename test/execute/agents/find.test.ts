import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findAgent } from "../../../src/execute/agents/find.js";
import { adapter } from "./support.js";

const codex = adapter("codex");

/** A folder for programs, and the search path that has it in front. */
async function programs() {
  const folder = await mkdtemp(join(tmpdir(), "multirun-find-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const write = async (path: string, text: string) => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    await chmod(file, 0o755);
    return file;
  };
  return { folder, path: `relative:${folder}:/usr/bin:/bin`, write };
}

test("an agent that is not installed is wrong use, with the line that installs it", async () => {
  const { path } = await programs();
  await expect(findAgent(codex, path)).rejects.toMatchObject({
    code: "bad_input",
    message: expect.stringContaining("no codex on PATH"),
    hint: "Type: npm install -g @openai/codex",
  });
});

test("an agent is asked for its version with an empty home and nothing of ours in its environment", async () => {
  const { path, write } = await programs();
  await write(
    "codex",
    '#!/bin/sh\n[ -n "$NODE_ENV$VITEST" ] && exit 1\n[ -z "$(ls -A "$HOME")" ] && echo "codex 1.2.3 $*"\n',
  );
  expect((await findAgent(codex, path)).version).toBe("codex 1.2.3 --version");
});

test("what a version prints is one line in which nothing is hidden", async () => {
  const { path, write } = await programs();
  await write("codex", "#!/bin/sh\nprintf '1.0\\n::error::no\\033[31m\\n'\n");
  expect((await findAgent(codex, path)).version).toBe("1.0 ::error::no\ufffd[31m");
});

test("an agent that does not run is wrong use", async () => {
  const { path, write } = await programs();
  await write("codex", "#!/bin/sh\nexit 3\n");
  await expect(findAgent(codex, path)).rejects.toMatchObject({
    code: "bad_input",
    message: expect.stringContaining("does not run"),
  });
});

test("a program of a package is shown with all the packages beside it", async () => {
  const { folder, path, write } = await programs();
  const real = await write("lib/node_modules/@openai/codex/node_modules/x/codex", "#!/bin/sh\necho 1.0.0\n");
  await symlink(real, join(folder, "codex"));
  expect((await findAgent(codex, path)).folders).toEqual([folder, join(folder, "lib", "node_modules")]);
});
