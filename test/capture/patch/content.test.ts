import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PatchStats } from "../../../src/model/record.js";
import { createRepository, type Repository } from "../../support/repository.js";
import { openRun, treeAfter, treeOf } from "../../support/workspace.js";

const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join("");
const long = `${"folder-with-a-long-name/".repeat(14)}file.txt`;
const names = [
  "-dash.txt",
  "--",
  "with space.txt",
  "new\nline.txt",
  "ünï çode 🦦.txt",
  'quo"te\\.txt',
  "tab\t.txt",
  long,
];

/** What the patch says by path, shortened for comparison. */
function changed(stats: PatchStats): Record<string, string> {
  return Object.fromEntries(stats.changed.map((file) => [file.path, `${file.status} ${file.added} ${file.deleted}`]));
}

/** Everything about a change is in the patch: on a clean clone it makes the very tree the agent left. */
async function expectExact(
  user: Repository,
  change: (agent: Repository) => void,
): Promise<PatchStats & { text: string; file: string }> {
  const { agent, capture } = await openRun(user);
  change(agent);
  const patch = await capture();
  expect(patch.warnings).toEqual([]);
  expect(patch.applies).toBe(true);
  expect(treeAfter(user, patch.file)).toBe(treeOf(agent));
  return patch;
}

test("new, deleted and changed files are told apart and counted", async () => {
  const user = createRepository({ "changed.txt": lines, "deleted.txt": "1\n2\n", "same.txt": "1\n" });

  const patch = await expectExact(user, (agent) => {
    agent.write("changed.txt", lines.replace("line 7\n", "other\nand more\n"));
    rmSync(join(agent.path, "deleted.txt"));
    agent.write("deep/new.txt", "new\n");
  });

  expect(changed(patch)).toEqual({
    "changed.txt": "modified 2 1",
    "deleted.txt": "deleted 0 2",
    "deep/new.txt": "added 1 0",
  });
  expect({ files: patch.files, added: patch.added, deleted: patch.deleted }).toEqual({
    files: 3,
    added: 3,
    deleted: 3,
  });
  expect(patch.bytes).toBe(Buffer.byteLength(patch.text));
  expect(patch.sha256).toMatch(/^[0-9a-f]{64}$/);
});

test("a renamed file is one change, also with other content and another mode", async () => {
  const user = createRepository({ "old.txt": lines, "mode.txt": `${lines}x\n` });

  const patch = await expectExact(user, (agent) => {
    renameSync(join(agent.path, "old.txt"), join(agent.path, "new.txt"));
    agent.write("new.txt", lines.replace("line 7\n", "other\n"));
    agent.write("sub/x", "");
    renameSync(join(agent.path, "mode.txt"), join(agent.path, "sub/mode.sh"));
    chmodSync(join(agent.path, "sub/mode.sh"), 0o755);
  });

  expect(patch.changed).toContainEqual({
    path: "new.txt",
    oldPath: "old.txt",
    status: "renamed",
    added: 1,
    deleted: 1,
  });
  expect(patch.changed).toContainEqual({
    path: "sub/mode.sh",
    oldPath: "mode.txt",
    status: "renamed",
    added: 0,
    deleted: 0,
  });
});

test("binary files are carried whole and have no line counts", async () => {
  const bytes = Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256);
  const user = createRepository({ "a.txt": "1\n" });
  user.write("old.bin", bytes);
  user.commit();

  const patch = await expectExact(user, (agent) => {
    agent.write("old.bin", bytes.toReversed());
    agent.write("new.bin", bytes);
  });

  expect(changed(patch)).toEqual({ "old.bin": "modified null null", "new.bin": "added null null" });
  expect(patch.text).toContain("GIT binary patch");
});

test("executable files, a change of mode alone and links are kept", async () => {
  const user = createRepository({ "mode.sh": "1\n", "target.txt": "1\n" });

  const patch = await expectExact(user, (agent) => {
    agent.write("new.sh", "#!/bin/sh\n");
    for (const name of ["new.sh", "mode.sh"]) chmodSync(join(agent.path, name), 0o755);
    symlinkSync("/etc/passwd", join(agent.path, "link"));
    rmSync(join(agent.path, "target.txt"));
    symlinkSync("mode.sh", join(agent.path, "target.txt"));
  });

  expect(patch.text).toContain("old mode 100644\nnew mode 100755");
  expect(patch.text).toContain("new file mode 120000");
  expect(patch.text).toContain("+/etc/passwd");
  expect(patch.changed).toContainEqual(expect.objectContaining({ path: "target.txt", status: "type_changed" }));
});

test("a one-line change of a CRLF file touches no other line", async () => {
  const crlf = lines.replaceAll("\n", "\r\n");
  const user = createRepository({ "a.txt": crlf, "eol.txt": lines, ".gitattributes": "eol.txt text eol=crlf\n" });

  const patch = await expectExact(user, (agent) => {
    agent.write("a.txt", crlf.replace("line 7\r\n", "other\r\n"));
    agent.write("eol.txt", readFileSync(join(agent.path, "eol.txt"), "utf8").replace("line 7\r\n", "other\r\n"));
  });

  expect(changed(patch)).toEqual({ "a.txt": "modified 1 1", "eol.txt": "modified 1 1" });
});

test("a missing newline at the end is kept as it is", async () => {
  const user = createRepository({ "a.txt": "1\n2", "b.txt": "1\n" });

  const patch = await expectExact(user, (agent) => {
    agent.write("a.txt", "1\n3");
    agent.write("b.txt", "1");
    agent.write("empty.txt", "");
  });

  expect(patch.text).toContain("\\ No newline at end of file");
});

test("odd and long names survive as new, changed and deleted files", async () => {
  const user = createRepository(
    Object.fromEntries(
      names.flatMap((name) => [
        [name, lines],
        [`gone/${name}`, name],
      ]),
    ),
  );
  expect(long.length).toBeGreaterThan(300);

  const patch = await expectExact(user, (agent) => {
    for (const name of names) {
      agent.write(name, `${lines}more\n`);
      rmSync(join(agent.path, "gone", name));
      agent.write(`new/${name}`, `new ${name}\n`);
    }
  });

  expect(Object.keys(changed(patch)).sort()).toEqual(
    names.flatMap((name) => [name, `gone/${name}`, `new/${name}`]).sort(),
  );
});

test("a name that is no UTF-8 is captured under its bytes", async () => {
  const user = createRepository({ "a.txt": "1\n" });

  const patch = await expectExact(user, (agent) => {
    writeFileSync(Buffer.concat([Buffer.from(`${agent.path}/b`), Buffer.from([0xe9, 0xff])]), "1\n");
  });

  expect(readFileSync(patch.file).includes(Buffer.from([0xe9, 0xff]))).toBe(true);
  expect(patch.changed[0]?.path).toBe("b\ufffd\ufffd");
});

test("a folder may take the place of a file and a file that of a folder", async () => {
  const user = createRepository({ file: "1\n", "folder/a.txt": "1\n", "folder/b/c.txt": "2\n" });

  await expectExact(user, (agent) => {
    rmSync(join(agent.path, "file"));
    agent.write("file/inside.txt", "3\n");
    rmSync(join(agent.path, "folder"), { recursive: true });
    agent.write("folder", "4\n");
  });
});

test("a run that changed nothing gives an empty patch that applies", async () => {
  const user = createRepository({ "a.txt": "1\n", "crlf.txt": "1\r\n", ".gitattributes": "a.txt text\n" });

  const patch = await expectExact(user, (agent) => {
    agent.write("a.txt", "1\n");
    mkdirSync(join(agent.path, "empty"));
  });

  expect(patch).toMatchObject({ files: 0, added: 0, deleted: 0, bytes: 0, changed: [], text: "" });
});

test("pointers of git-lfs that nobody touched are no part of the patch", async () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n";
  const user = createRepository({
    "big.bin": pointer,
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
  });

  const patch = await expectExact(user, (agent) => agent.write("a.txt", "1\n"));

  expect(Object.keys(changed(patch))).toEqual(["a.txt"]);
});

test("sha256 repositories are captured like others", async () => {
  const user = createRepository({ "a.txt": lines }, { format: "sha256" });

  const patch = await expectExact(user, (agent) => agent.write("a.txt", `${lines}more\n`));

  expect(patch.text).toMatch(/^index [0-9a-f]{64}\.\.[0-9a-f]{64} 100644$/m);
});
