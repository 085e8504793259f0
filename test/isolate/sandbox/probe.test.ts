import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { probeSandbox } from "../../../src/isolate/sandbox/probe.js";
import { chooseSandbox } from "../../../src/isolate/sandbox/sandbox.js";
import { temporaryFolder } from "../../support/repository.js";

const linux = test.skipIf(process.platform !== "linux");

/** A search path with a program called bwrap that says and does this. */
function withBubblewrap(script: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "bwrap"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "bwrap"), 0o755);
  return `${folder}:/usr/bin:/bin`;
}

linux("no bubblewrap: what to install", async () => {
  const probe = await probeSandbox(temporaryFolder());
  expect(probe).toMatchObject({ available: false, reason: "bubblewrap is not installed" });
  expect(() => chooseSandbox({ kind: "bwrap", closedNetwork: false }, probe)).toThrow(/bubblewrap is not installed/);
  expect(chooseSandbox({ kind: "auto", closedNetwork: false }, probe)).toBe("none");
  // Limits that somebody counts on are not dropped in silence.
  expect(() => chooseSandbox({ kind: "auto", closedNetwork: true }, probe)).toThrow(/network\.allow needs a sandbox/);
  expect(chooseSandbox({ kind: "none", closedNetwork: true }, probe)).toBe("none");
});

linux("a bubblewrap that is too old is named with its version", async () => {
  const probe = await probeSandbox(withBubblewrap("echo bubblewrap 0.6.2"));
  expect(probe).toMatchObject({ available: false, reason: "bubblewrap 0.6.2 cannot bound what is kept in memory" });
  expect(probe).toMatchObject({ hint: expect.stringContaining("0.7") });
});

linux("one that makes no sandbox: what it said", async () => {
  const script =
    'if [ "$1" = --version ]; then echo bubblewrap 0.8.0; else echo "bwrap: No permissions" >&2; exit 1; fi';
  expect(await probeSandbox(withBubblewrap(script))).toMatchObject({
    available: false,
    reason: "bubblewrap makes no sandbox here: bwrap: No permissions",
  });
});

linux("where no sandbox can be without a network, network.allow is refused and all else goes on", async () => {
  const script = `case "$*" in --version) echo bubblewrap 0.8.0;; *--unshare-net*) echo "bwrap: loopback" >&2; exit 1;; *) echo 2;; esac`;
  const probe = await probeSandbox(withBubblewrap(script));
  expect(probe).toEqual({ available: true, version: "0.8.0", openNetwork: "bwrap: loopback" });
  expect(chooseSandbox({ kind: "auto", closedNetwork: false }, probe)).toBe("bwrap");
  expect(() => chooseSandbox({ kind: "auto", closedNetwork: true }, probe)).toThrow(/bwrap: loopback/);
});

linux("one that makes a sandbox without processes of its own is not taken", async () => {
  const script = 'if [ "$1" = --version ]; then echo bubblewrap 0.8.0; else echo $$; fi';
  const probe = await probeSandbox(withBubblewrap(script));
  expect(probe.available).toBe(false);
});
