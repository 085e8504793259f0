import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { type Sandbox, sandbox } from "../support/cli.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
let place: Sandbox;
let alone: string;

beforeEach(() => {
  place = sandbox();
  alone = join(place.folder, "alone");
  cpSync(join(root, "dist"), join(alone, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(alone, "package.json"));
});

test("the command needs nothing but its folder to tell its help, its version and to read an experiment", async () => {
  expect((await place.experiment("echo x >> app.txt", { runs: 3 }).ended).code).toBe(0);
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [join(alone, "dist/cli.js"), ...args], { encoding: "utf8" });
  expect(run("--help")).toContain("multirun [options] [command]");
  expect(run("--version").trim()).toBe(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
  expect(JSON.parse(run("synthesize", place.out, "--json")).runs).toHaveLength(3);
});

test("the action turns an experiment's folder into a report, a step summary and outputs", async () => {
  expect((await place.experiment('echo "$MULTIRUN_RUN" >> app.txt', { runs: 3 }).ended).code).toBe(0);
  const [output, summary] = [place.write("output", ""), place.write("summary", "")];
  const inputs = { INPUT_COMMAND: "synthesize", INPUT_EXPERIMENT: place.out };
  const env = { PATH: process.env["PATH"], GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, ...inputs };
  const ended = spawnSync(process.execPath, [join(alone, "dist/action.js")], { env, encoding: "utf8" });
  expect(ended.status, ended.stdout).toBe(0);
  expect(readFileSync(summary, "utf8")).toBe(readFileSync(join(place.out, "report.md"), "utf8"));
  const said = readFileSync(output, "utf8");
  for (const name of ["class", "expected-differences", "report"]) expect(said).toContain(`${name}<<`);
});

test("the action refuses what it cannot do and names what it can", () => {
  writeFileSync(join(place.folder, "output"), "");
  const env = { PATH: process.env["PATH"], INPUT_COMMAND: "synthesise", INPUT_EXPERIMENT: place.folder };
  const ended = spawnSync(process.execPath, [join(alone, "dist/action.js")], { env, encoding: "utf8" });
  expect(ended.status).toBe(1);
  expect(ended.stdout).toContain('::error::command: "synthesise" is none of synthesize');
});

test("the licence of every bundled package lies beside the bundle", () => {
  const licences = readFileSync(join(root, "dist/licences.txt"), "utf8");
  for (const name of ["commander", "zod", "yaml", "pg", "execa", "p-queue", "picomatch"]) {
    expect(licences).toMatch(new RegExp(`^${name} \\d`, "m"));
  }
});
