import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeTree } from "../../src/clients/remove.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "multirun-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("folders nobody may write, read or enter go with all they hold", async () => {
  const root = join(folder, "tree");
  for (const path of ["sealed/inner/deep", "unreadable/inner", "closed/inner"]) {
    mkdirSync(join(root, path), { recursive: true });
    writeFileSync(join(root, path, "file"), "");
  }
  chmodSync(join(root, "sealed/inner"), 0o500);
  chmodSync(join(root, "sealed"), 0o500);
  chmodSync(join(root, "unreadable"), 0o300);
  chmodSync(join(root, "closed"), 0o000);
  chmodSync(root, 0o500);
  await removeTree(root);
  expect(existsSync(root)).toBe(false);
});

test("links are removed and what they lead to stays, at the top too", async () => {
  const kept = join(folder, "kept");
  mkdirSync(kept);
  writeFileSync(join(kept, "file"), "");
  mkdirSync(join(folder, "tree"));
  symlinkSync(kept, join(folder, "tree", "link"));
  symlinkSync(kept, join(folder, "top"));
  await removeTree(join(folder, "tree"));
  await removeTree(join(folder, "top"));
  expect([existsSync(join(folder, "tree")), existsSync(join(folder, "top"))]).toEqual([false, false]);
  expect(existsSync(join(kept, "file"))).toBe(true);
});

test("a name that is no UTF-8 is found again, and nothing at all is no error", async () => {
  const tree = join(folder, "tree");
  mkdirSync(tree);
  writeFileSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xff, 0xfe])]), "");
  await removeTree(tree);
  await removeTree(tree);
  expect(existsSync(tree)).toBe(false);
});

test("more entries than go at once are all removed, and others get their turn meanwhile", async () => {
  const tree = join(folder, "tree");
  mkdirSync(tree);
  for (let file = 0; file < 1_000; file++) writeFileSync(join(tree, `${file}`), "");
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await removeTree(tree);
  clearInterval(timer);
  expect(existsSync(tree)).toBe(false);
  expect(turns).toBeGreaterThan(0);
});
