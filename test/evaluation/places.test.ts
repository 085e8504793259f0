import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { build } from "rolldown";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/folder.js";

const places = [
  { TZ: "UTC", LC_ALL: "C" },
  { TZ: "UTC", LC_ALL: "C" },
  { TZ: "Pacific/Kiritimati", LC_ALL: "tr_TR.UTF-8" },
  { TZ: "America/St_Johns", LC_ALL: "sv_SE.UTF-8" },
];

test("a report is the same to the byte each time, in any time zone and with any locale", async () => {
  const file = join(await temporaryFolder(), "print-report.mjs");
  const input = fileURLToPath(new URL("print-report.ts", import.meta.url));
  await build({ input, platform: "node", logLevel: "silent", output: { file, format: "esm" } });
  const said = await Promise.all(
    places.map(async (env) => JSON.parse((await execa(process.execPath, [file], { env, extendEnv: false })).stdout)),
  );
  // The environment did reach the programs, or nothing was put to the test.
  expect(new Set(said.map(({ timeZone }) => timeZone)).size).toBe(3);
  expect(new Set(said.map(({ locale }) => locale)).size).toBe(3);
  expect(new Set(said.map(({ reports }) => JSON.stringify(reports))).size).toBe(1);
});
