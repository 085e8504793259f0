import { readdir, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { createDeps } from "../src/entry/deps.js";
import { codeOf } from "../src/model/error.js";
import { compareFolder } from "../src/pipeline/compare/compare.js";
import { withFolder } from "./command.js";
import { type Labels, labels } from "./nway/labels.js";
import { type Grade, type SetScore, scoreSet } from "./nway/score.js";

const data = ["../shared/nway/schemas", "../shared/nway/patches"];
const told = "bench/nway";

type Matter = "schemas" | "patches";

/**
 * Public sets of schemas and of patches that many agents made for one task, in `../shared/nway` or the folders that are
 * named: which of the sentences a careful person wrote about a set its report says, and what it shows beside them.
 */
export async function run(args: readonly string[] = []): Promise<Record<string, unknown>> {
  const known = await readLabels();
  const scores: Record<Matter, SetScore[]> = { schemas: [], patches: [] };
  const missing: string[] = [];
  for (const root of (args.length > 0 ? args : data).map((each) => resolve(each))) {
    const sets = await setsIn(root);
    // The sets are other people's work and not kept here.
    if (sets === undefined) missing.push(root);
    for (const set of sets ?? []) {
      const one = known.get(basename(set));
      if (one === undefined) console.log(`${basename(set)}: no labels`);
      else scores[await matterOf(set)].push(print(await scoreOf(set, one)));
    }
  }
  const measured = Object.entries(scores).filter(([, each]) => each.length > 0);
  return {
    name: "nway",
    ...(missing.length > 0 ? { missing } : {}),
    ...Object.fromEntries(
      measured.map(([matter, each]) => [matter, { tuned: totals(each, true), untuned: totals(each, false) }]),
    ),
  };
}

/** The folders of all sets; undefined where nothing is there. */
async function setsIn(root: string): Promise<string[] | undefined> {
  const entries = await readdir(root, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  return entries
    ?.filter((each) => each.isDirectory())
    .map(({ name }) => join(root, name))
    .sort();
}

async function matterOf(set: string): Promise<Matter> {
  return (await readdir(set)).some((file) => file.endsWith(".patch")) ? "patches" : "schemas";
}

async function scoreOf(from: string, one: Labels): Promise<SetScore> {
  const deps = { ...createDeps(), log: { info: () => undefined, warn: () => undefined } };
  const cancel = new AbortController();
  return scoreSet(await withFolder((temporary) => compareFolder({ deps, from, temporary, cancel })), one);
}

async function readLabels(): Promise<Map<string, Labels>> {
  const files = (await readdir(told)).filter((each) => each.endsWith(".json"));
  const read = async (file: string) => labels.parse(JSON.parse(await readFile(join(told, file), "utf8")));
  return new Map((await Promise.all(files.map(read))).map((each) => [each.set, each]));
}

const signs: Record<Grade, string> = { full: "+", partly: "~", missed: "-" };

function print(score: SetScore): SetScore {
  console.log(`\n${score.set} (${score.tuned ? "tuned" : "untuned"})`);
  for (const { text, grade } of score.sentences) console.log(`  ${signs[grade]} ${grade.padEnd(6)} ${text}`);
  for (const row of score.unlabelled) console.log(`  ? no sentence has: ${row}`);
  return score;
}

function totals(scores: readonly SetScore[], tuned: boolean): Record<string, number> {
  const asked = scores.filter((each) => each.tuned === tuned);
  const sentences = asked.flatMap((each) => each.sentences);
  const of = (grade: Grade) => sentences.filter((each) => each.grade === grade).length;
  return {
    sets: asked.length,
    sentences: sentences.length,
    full: of("full"),
    partly: of("partly"),
    missed: of("missed"),
    fullShare: Math.round((1000 * of("full")) / Math.max(1, sentences.length)) / 1000,
    unlabelledRows: asked.reduce((sum, { unlabelled }) => sum + unlabelled.length, 0),
  };
}
