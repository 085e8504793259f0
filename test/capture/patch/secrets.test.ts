import { expect, test } from "vitest";
import { createRepository } from "../../support/repository.js";
import { openRun } from "../../support/workspace.js";

const value = "sk-Canary_7f3a91c2/Zq+x";
const base64 = Buffer.from(`user:${value}@host`).toString("base64");

test("a secret in a patch is written as stars, whose lines and hunks stay", async () => {
  const { agent, capture } = await openRun(createRepository({ "a.txt": "one\n" }));
  agent.write("a.txt", `one\nurl=${value}\nend\n`);
  agent.write("wrapped.txt", `${base64.slice(0, 20)}\n${base64.slice(20)}\n`);
  const { text, applies, masked, warnings, files } = await capture(undefined, [value]);
  expect(text).toContain("+url=**-******_********/**+*\n+end\n");
  for (const part of [value, base64.slice(8, 20), base64.slice(20, 30)]) expect(text).not.toContain(part);
  expect({ applies, masked, files }).toEqual({ applies: false, masked: 2, files: 2 });
  expect(warnings).toEqual([expect.stringContaining("patch.diff would hold a secret")]);
  expect(text.match(/^@@ .*$/gm)).toEqual(["@@ -1 +1,3 @@", "@@ -0,0 +1,2 @@"]);
});

test("a patch without a secret says nothing of any", async () => {
  const { agent, capture } = await openRun(createRepository({ "a.txt": "one\n" }));
  agent.write("a.txt", "two\n");
  expect(await capture(undefined, [value])).toMatchObject({ applies: true, warnings: [] });
});

test.each([
  ["two bytes a letter", Buffer.from(`\ufeff${value}`, "utf16le")],
  ["bytes before it", Buffer.concat([Buffer.from([0, 1, 2, 255]), Buffer.from(value)])],
])("a patch that packs a secret is not kept: %s", async (_, content) => {
  const { agent, capture } = await openRun(createRepository({ "a.txt": "one\n" }));
  agent.write("packed.bin", content);
  await expect(capture(undefined, [value])).rejects.toThrow("a binary file among its changes holds a secret");
});

test("calling a text binary does not get a secret past", async () => {
  const { agent, capture } = await openRun(createRepository({ "a.txt": "one\n" }));
  agent.write(".gitattributes", "*.txt binary\n");
  agent.write("a.txt", `${value}\n`);
  const { text, masked } = await capture(undefined, [value]);
  expect(masked).toBe(1);
  expect(text).toContain("+**-******_********/**+*\n");
});

test("a binary file without a secret is captured as always", async () => {
  const { agent, capture } = await openRun(createRepository({ "a.txt": "one\n" }));
  agent.write("plain.bin", Buffer.from([0, 1, 2, 255]));
  expect(await capture(undefined, [value])).toMatchObject({ applies: true, files: 1 });
});
