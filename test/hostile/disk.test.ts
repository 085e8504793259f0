import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { attack, modes, openAttack } from "../support/attack.js";

/** Where this process may mount: a small file system of its own is what can be filled without harm. */
const mayMount = canMount();
if (!mayMount) process.stderr.write("skipped, no file system can be mounted to be filled: test/hostile/disk.test.ts\n");

describe.skipIf(!mayMount).each(modes)("what an agent does to the disk, sandbox %s", (mode) => {
  test("one that fills its TMPDIR to the last byte takes neither its work nor the others' with it", async () => {
    const opened = openAttack();
    mount(opened.place.temporary);
    const script = `
      echo work >> app.txt
      test "$MULTIRUN_RUN" = r02 && exit 0
      cat /dev/zero > "$TMPDIR/all" 2> /dev/null
      echo more > "$TMPDIR/last" || echo "no room" >> app.txt
      true`;
    const flags = ["--parallel", "1"];
    const { record } = await attack(script, { mode, runs: 2, flags, opened });
    expect(record("r01")).toMatchObject({ outcome: "completed", partial: false, patch: { files: 1, applies: true } });
    expect(record("r01").warnings).toEqual([
      expect.stringMatching(/^its TMPDIR held \d+ MiB of a disk that was nearly full/),
    ]);
    expect(record("r02")).toMatchObject({ outcome: "completed", patch: { files: 1, applies: true } });
  });
});

function mount(folder: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m,mode=755", "none", folder]);
  // Before the folder itself is removed: what was asked for last is done first.
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "multirun-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "none", folder], { stdio: "ignore" });
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
