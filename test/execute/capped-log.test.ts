import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CappedLog } from "../../src/execute/capped-log.js";
import { Secret } from "../../src/model/secret.js";

async function freePath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "multirun-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "log");
}

/** What is kept of a text that is written in pieces of one size. */
async function kept(text: string | Buffer, limit: number, piece: number, secrets: string[] = []) {
  const path = await freePath();
  const log = new CappedLog(
    path,
    limit,
    secrets.map((value) => new Secret(value)),
  );
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += piece) log.write(bytes.subarray(at, at + piece));
  const totals = log.close();
  return { totals, bytes: await readFile(path), text: await readFile(path, "utf8") };
}

const pieces = [1, 3, 7, 64, 1_000];

test.each(pieces)("what fits is kept byte for byte, in pieces of %i", async (piece) => {
  const bytes = Buffer.from(Array.from({ length: 100 }, (_, index) => (index * 37) % 256));
  const result = await kept(bytes, 100, piece);
  expect(result.bytes.equals(bytes)).toBe(true);
  expect(result.totals).toEqual({ bytes: 100, dropped: 0 });
});

test.each(pieces)(
  "of what does not fit both ends are kept and the middle is counted, in pieces of %i",
  async (piece) => {
    const text = Array.from({ length: 100 }, (_, index) => `line ${String(index).padStart(2, "0")}\n`).join("");
    const result = await kept(text, 40, piece);
    expect(result.text).toBe(
      `${text.slice(0, 20)}\n[multirun: 760 bytes dropped here, from byte 20 on]\n${text.slice(-20)}`,
    );
    expect(result.totals).toEqual({ bytes: 800, dropped: 760 });
  },
);

test.each([101, 119, 140, 199])("one byte too many or a whole round of the ring: %i bytes", async (length) => {
  const text = Array.from({ length }, (_, index) => String.fromCharCode(33 + (index % 90))).join("");
  const result = await kept(text, 100, 9);
  expect(result.text.startsWith(text.slice(0, 50))).toBe(true);
  expect(result.text.endsWith(`\n${text.slice(-50)}`)).toBe(true);
  expect(result.totals).toEqual({ bytes: length, dropped: length - 100 });
});

test.each(pieces)("a secret is never kept, wherever a piece ends, in pieces of %i", async (piece) => {
  const result = await kept("a hunter2hunter2 b hunter2 hunt", 1_000, piece, ["hunter2"]);
  expect(result.text).toBe("a ****** b *** hunt");
  expect(result.totals.dropped).toBe(0);
});

test("a secret inside another leaves no rest of either", async () => {
  const result = await kept("see postgres://u:pass@h/db and pass", 1_000, 5, ["pass", "postgres://u:pass@h/db"]);
  expect(result.text).not.toContain("pass");
});

test("a secret in two alphabets is found as the bytes it is written in", async () => {
  expect((await kept("x pässwörd y", 1_000, 1, ["pässwörd"])).text).toBe("x *** y");
});

test("a secret that crosses the first border is redacted where nothing is dropped", async () => {
  const result = await kept(`${"-".repeat(45)}topsecret${"-".repeat(20)}`, 100, 10, ["topsecret"]);
  expect(result.text).toBe(`${"-".repeat(45)}***${"-".repeat(20)}`);
});

test("no half of a secret is kept beside what was dropped", async () => {
  for (let shift = 0; shift < 20; shift++) {
    const text = `${"-".repeat(40 + shift)}topsecret${"-".repeat(500)}topsecret${"-".repeat(35 + shift)}`;
    const result = await kept(text, 100, 13, ["topsecret"]);
    const rest = result.text.replace(/\n\[multirun.*\]\n/, "");
    expect(rest).toMatch(/^[-*]+$/);
    expect(result.totals.bytes - result.totals.dropped).toBeLessThanOrEqual(100);
  }
});

test("a link that waits under the name of the log is not followed", async () => {
  const path = await freePath();
  await writeFile(`${path}.target`, "mine");
  await symlink(`${path}.target`, path);
  expect(() => new CappedLog(path, 100, [])).toThrow("EEXIST");
  expect(await readFile(`${path}.target`, "utf8")).toBe("mine");
});
