import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { writtenForms } from "../../src/model/forms.js";
import { type RunRecord, runRecord } from "../../src/model/record.js";
import type { Report } from "../../src/model/report.js";
import { Secret } from "../../src/model/secret.js";
import { withoutSandbox } from "../isolate/sandbox/place.js";
import { type Ended, reportIn, type Sandbox, sandbox } from "./cli.js";
import { fingerprint } from "./fingerprint.js";

/** A key of the caller's, which multirun knows and no agent is to see. */
export const canary = "sk-ant-Canary_7f3a91c25e/Zq+9x";

/** Every behaviour is tried without a sandbox, and in one where the machine has it. */
export const modes = withoutSandbox ? ["none"] : ["none", "bwrap"];

export interface Attack {
  place: Sandbox;
  ended: Ended;
  report: Report;
  record(run?: string): RunRecord;
  read(path: string): string;
}

/** A place where the caller has a key; `before` is its repo to the bit. */
export function openAttack(): { place: Sandbox; before: Record<string, string> } {
  const place = sandbox({ ANTHROPIC_API_KEY: canary });
  mkdirSync(join(place.folder, "agent"));
  return { place, before: fingerprint(place.repo) };
}

/** Runs a shell script as an agent; then nothing of it may be left, and nothing of the caller's changed or told. */
export async function attack(
  script: string,
  { mode, runs = 1, flags = [], opened = openAttack() }: AttackOptions,
): Promise<Attack> {
  const { place, before } = opened;
  const agent = place.write("agent/agent.sh", script);
  const ended = await place.experiment(`sh ${agent}`, { runs, flags: ["--sandbox", mode, ...flags] }).ended;
  expect(ended.code, ended.stderr).toBe(0);
  expectHarmless(place, { before, ended });
  const read = (path: string) => readFileSync(join(place.out, path), "utf8");
  const record = (run = "r01") => runRecord.parse(JSON.parse(read(`runs/${run}/record.json`)));
  return { place, ended, report: reportIn(ended), record, read };
}

export interface AttackOptions {
  mode: string;
  runs?: number;
  flags?: string[];
  opened?: ReturnType<typeof openAttack>;
}

/** No process and no folder left, the caller's repo the same to the bit, and the key nowhere in what came of it. */
export function expectHarmless(place: Sandbox, { before, ended }: { before: Record<string, string>; ended: Ended }) {
  expect(place.left()).toEqual([]);
  expect(fingerprint(place.repo)).toEqual(before);
  const said: [string, string][] = [
    ["standard output", ended.stdout],
    ["standard error", ended.stderr],
  ];
  const artifacts = filesIn(place.out).map((path): [string, string] => [path, readFileSync(path, "latin1")]);
  for (const [where, text] of [
    ...said,
    ...artifacts,
    ...filesIn(place.out).map((path): [string, string] => ["a name", path]),
  ]) {
    expect(tellsOf(text), where).toEqual([]);
  }
}

/** In which forms a text holds the key, whatever stands between its letters. Slow and simple, unlike what it tests. */
function tellsOf(text: string): string[] {
  const letters = (each: string) => each.replace(/\p{Cc}\[[0-9;]*m|[^0-9A-Za-z]/gu, "");
  const plain = letters(text);
  return writtenForms(new Secret(canary)).filter((form) => plain.includes(letters(form)));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
