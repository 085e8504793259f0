import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createDeps } from "../src/entry/deps.js";
import { codeOf } from "../src/model/error.js";
import { compareFolder } from "../src/pipeline/compare/compare.js";
import { withFolder } from "./command.js";
import { type Labels, labels } from "./nway/labels.js";
import { type Grade, type SetScore, scoreSet } from "./nway/score.js";

const data = "../shared/nway/schemas";
const told = "bench/nway";

/**
 * Public sets of schemas that many agents made for one task, in `../shared/nway/schemas` or the folder that is named:
 * which of the sentences a careful person wrote about a set its report says, and what it shows beside them.
 */
export async function run(args: readonly string[] = []): Promise<Record<string, unknown>> {
  const root = resolve(args[0] ?? data);
  const entries = await readdir(root, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  // The sets are other people's work and not kept here.
  if (entries === undefined) return { name: "nway", missing: root };
  const folders = entries.filter((each) => each.isDirectory());
  const known = await readLabels();
  const deps = { ...createDeps(), log: { info: () => undefined, warn: () => undefined } };
  const scores: SetScore[] = [];
  for (const { name } of folders.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const one = known.get(name);
    if (one === undefined) console.log(`${name}: no labels`);
    else {
      const cancel = new AbortController();
      const compare = (temporary: string) => compareFolder({ deps, from: join(root, name), temporary, cancel });
      scores.push(print(scoreSet(await withFolder(compare), one)));
    }
  }
  return { name: "nway", tuned: totals(scores, true), untuned: totals(scores, false) };
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
