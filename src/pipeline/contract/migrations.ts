import { readPatch } from "../../facts/code/patch/read-patch.js";
import { changedLines, type PatchLine } from "../../facts/patch-lines.js";
import type { BaseFile } from "../../model/code.js";
import { dropsIn, forwardPart, isWayBack } from "./drops.js";

export interface WrittenDrop {
  path: string;
  line: number;
  /** `table notes`, `column notes.body`. */
  found: string;
}

/**
 * What the lines that a patch adds to SQL files drop. Files of tests, and the ways back of migrations, are no migrations;
 * every other SQL file is one.
 */
export function dropsInPatch(patch: string, base: ReadonlyMap<string, BaseFile>): WrittenDrop[] {
  const isSql = (path: string) => /\.sql$/i.test(path) && !isWayBack(path);
  const added = new Map(changedLines(patch, isSql).map((file) => [file.path, file.added]));
  if (added.size === 0) return [];
  const files = readPatch(patch, base).files.filter(({ path, fileClass }) => added.has(path) && fileClass !== "test");
  return files.flatMap(({ path, after }) => {
    const lines = added.get(path) ?? [];
    return (after === null ? inLines(lines) : inText(after, lines)).map((drop) => ({ path, ...drop }));
  });
}

type Found = Omit<WrittenDrop, "path">;

/** In a whole text, what at least one added line takes part in. */
function inText(text: string, added: readonly PatchLine[]): Found[] {
  const fresh = added.map(({ line }) => line);
  const lineOf = lineCounter(text);
  return dropsIn(forwardPart(text)).flatMap(({ kind, name, start, end }) => {
    const [first, last] = [lineOf(start), lineOf(Math.max(start, end - 1))];
    const line = fresh[countBelow(fresh, last + 1) - 1];
    return line !== undefined && line >= first ? [{ line, found: `${kind} ${name}` }] : [];
  });
}

/** Without the whole text, the added lines are all there is to read. */
function inLines(added: readonly PatchLine[]): Found[] {
  const text = added.map((each) => each.text).join("\n");
  const lineOf = lineCounter(text);
  return dropsIn(forwardPart(text)).map(({ kind, name, start }) => ({
    line: added[lineOf(start) - 1]?.line ?? 1,
    found: `${kind} ${name}`,
  }));
}

/** The line of an offset, from 1. */
function lineCounter(text: string): (offset: number) => number {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) ends.push(at);
  return (offset) => countBelow(ends, offset) + 1;
}

/** How many of some ascending numbers are below one. */
function countBelow(numbers: readonly number[], bound: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((numbers[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
