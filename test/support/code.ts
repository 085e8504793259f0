import { createHash } from "node:crypto";
import { codeFacts } from "../../src/consensus/code/code-facts.js";
import { differences } from "../../src/facts/code/differences.js";
import { kindWords } from "../../src/facts/code/kinds/kinds.js";
import { classOf } from "../../src/facts/code/patch/classes.js";
import type { Language } from "../../src/facts/code/syntax.js";
import { undefinedNames } from "../../src/facts/code/undefined-names.js";
import { unusedImports } from "../../src/facts/code/unused-imports.js";
import type { CodeReading, FileReading } from "../../src/model/code.js";
import type { Fact } from "../../src/model/fact.js";
import { type RunId, runId } from "../../src/model/ids.js";
import { reader } from "../facts/code/reading.js";

/** By path the text of a file; null where the run deletes it. */
export type Texts = Record<string, string | null>;

/** Questions with their answers, each with the numbers of the runs that gave it: `{ "Is …?": { yes: "1 2" } }`. */
export type Questions = Record<string, Record<string, string>>;

export interface Told {
  questions: Questions;
  /** Damage, each with the runs that did it. */
  damage: Record<string, string>;
}

/** Reads what each run makes of the base, and what becomes of it as facts. Runs are numbered from 1. */
export async function comparer(...languages: Language[]) {
  const read = await reader(...languages);
  const fileOf = (path: string, before: string | null, after: string | null): FileReading => {
    const [old, now] = [before, after].map((text) => (text === null ? null : read(path, text)));
    const symbols = differences(old ?? null, now ?? null);
    const status = before === null ? "added" : after === null ? "deleted" : "modified";
    const fresh = status === "added";
    return {
      path,
      oldPath: null,
      status,
      fileClass: classOf(path, { fresh, used: !/^scratch/.test(path) }),
      added: 1,
      deleted: 1,
      unread: null,
      symbols,
      broken: old && old.broken.length > 0 ? null : (now?.broken[0] ?? null),
      undefinedNames: now ? undefinedNames(old ?? null, now) : [],
      unusedImports: now ? unusedImports(symbols, now) : [],
      result: after === null ? null : createHash("sha256").update(after).digest("hex"),
    };
  };
  const readings = (base: Texts, runs: readonly Texts[]) =>
    runs.map((texts, at): CodeReading => {
      const changed = Object.entries(texts).filter(([path, text]) => (base[path] ?? null) !== text);
      const files = changed.map(([path, text]) => fileOf(path, base[path] ?? null, text));
      const state = changed.length > 0 ? "changed" : "no patch";
      return { run: runId.parse(`r${String(at + 1).padStart(2, "0")}`), state, reason: null, files };
    });
  return { readings, tell: (base: Texts, runs: readonly Texts[]) => toldBy(readings(base, runs)) };
}

export function toldBy(
  readings: readonly CodeReading[],
  ownWords: ReadonlyMap<RunId, ReadonlyMap<string, string>> = new Map(),
): Told {
  return toldIn(codeFacts(readings, kindWords, new Set(), ownWords));
}

function toldIn(facts: ReadonlyMap<RunId, readonly Fact[]>): Told {
  const questions: Questions = {};
  const damage: Record<string, string> = {};
  for (const [run, each] of [...facts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const number = String(Number(run.slice(1)));
    const add = (into: Record<string, string>, words: string) => {
      const known = into[words]?.split(" ") ?? [];
      if (!known.includes(number)) into[words] = [...known, number].join(" ");
    };
    for (const { title, label, risk } of each) {
      questions[title] ??= {};
      add(questions[title], label);
      if (risk?.kind === "damage") add(damage, risk.text);
    }
  }
  return { questions, damage };
}
