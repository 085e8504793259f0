import { type BaseFile, largestText } from "../../../model/code.js";
import { compareText } from "../../../model/text.js";
import { classOf, isRead } from "./classes.js";
import type { Shown } from "./frame.js";
import { framed } from "./frames.js";
import { hunksOf } from "./hunks.js";
import { leadsOut } from "./names.js";
import { type FileChange, parsePatch } from "./parse.js";
import { largestPart, noBaseText } from "./texts.js";

/** A text of base, or what patches show of it: its lines at their places, blank ones where nobody shows any. */
export type BaseText = BaseFile & { partial?: true };

/** Lines up to which a text is put together; nobody wrote a longer one by hand. */
const longestFile = 100_000;
/** Lines of all texts that are put together: a hunk costs nothing that says it stands at the end of a long file. */
const mostLines = 3_000_000;
/** Rounds in which patches are set aside that contradict others. */
const mostRounds = 20;

const contradicting = `${noBaseText}, and the patches contradict each other`;

/**
 * Adds, for files whose text of base nobody has, what the patches themselves show of it. All patches were made for one
 * commit, so that their context and the lines they delete, each at its number, are parts of one text; every run is then
 * compared with the same part. Patches that contradict the others show nothing; where as many say one thing as another,
 * none does.
 */
export function withFragments(
  patches: readonly string[],
  base: ReadonlyMap<string, BaseFile> | null,
): ReadonlyMap<string, BaseText> | null {
  const shown = new Map<string, Shown[]>();
  for (const patch of patches) {
    for (const [path, each] of shownIn(patch, base)) {
      const known = shown.get(path);
      if (known) known.push(each);
      else shown.set(path, [each]);
    }
  }
  if (shown.size === 0) return base;
  const texts = new Map<string, BaseText>(base ?? []);
  let left = mostLines;
  for (const [path, all] of [...shown].sort(([a], [b]) => compareText(a, b))) {
    const joint = joined(agreeing(all));
    let last = 0;
    for (const line of joint.lines.keys()) last = Math.max(last, line);
    const fits = last <= Math.min(longestFile, left);
    if (fits) left -= last;
    texts.set(path, joint.lines.size === 0 ? { unread: contradicting } : fits ? textOf(path, joint) : tooLarge);
  }
  return texts;
}

const tooLarge = { unread: "too large" };

function textOf(path: string, joint: Shown): BaseText {
  const text = framed(path, joint);
  return text.length > largestText ? tooLarge : { text, partial: true };
}

/** By path in base, what one patch shows. Only its first part about a file speaks of base. */
function shownIn(patch: string, base: ReadonlyMap<string, BaseFile> | null): Map<string, Shown> {
  const found = new Map<string, Shown>();
  const seen = new Set<string>();
  for (const change of parsePatch(patch)) {
    const path = change.oldPath ?? change.path;
    if (seen.has(path)) continue;
    seen.add(path).add(change.path);
    if (base?.has(path) || !showsBase(change)) continue;
    const shown = linesOf(change);
    if (shown.lines.size > 0) found.set(path, shown);
  }
  return found;
}

function showsBase({ path, oldPath, status, kind, binary, body }: FileChange): boolean {
  if (status === "added" || kind !== "file" || binary || body.broken !== null) return false;
  if (leadsOut(path) || leadsOut(oldPath ?? path) || body.text.length > largestPart) return false;
  return isRead(classOf(path));
}

function linesOf({ body, crlf }: FileChange): Shown {
  const shown: Shown = { lines: new Map(), headings: new Map() };
  for (const { oldStart, heading, lines } of hunksOf(body, crlf)) {
    let at = Math.max(oldStart, 1);
    if (heading !== "") shown.headings.set(at, heading);
    for (const { sign, text } of lines) {
      if (sign !== "+") shown.lines.set(at++, text);
    }
  }
  return shown;
}

/** Those left when whoever contradicts most others is set aside, again and again. */
function agreeing(all: readonly Shown[]): readonly Shown[] {
  let left = all;
  for (let round = 0; round < mostRounds; round++) {
    const against = contradictions(left);
    const most = Math.max(0, ...against.values());
    if (most === 0) return left;
    left = left.filter((each) => (against.get(each) ?? 0) < most);
  }
  return [];
}

/** For each, how often another one shows something else in a line. */
function contradictions(all: readonly Shown[]): Map<Shown, number> {
  const forms = new Map<number, Map<string, number>>();
  const shownBy = new Map<number, number>();
  for (const { lines } of all) {
    for (const [line, text] of lines) {
      const votes = forms.get(line) ?? new Map<string, number>();
      votes.set(text.trimEnd(), (votes.get(text.trimEnd()) ?? 0) + 1);
      forms.set(line, votes);
      shownBy.set(line, (shownBy.get(line) ?? 0) + 1);
    }
  }
  const against = new Map<Shown, number>();
  for (const each of all) {
    let count = 0;
    for (const [line, text] of each.lines) {
      count += (shownBy.get(line) ?? 0) - (forms.get(line)?.get(text.trimEnd()) ?? 0);
    }
    against.set(each, count);
  }
  return against;
}

/** Where they differ in blanks at the end of a line, the order of the patches decides nothing. */
function joined(all: readonly Shown[]): Shown {
  const joint: Shown = { lines: new Map(), headings: new Map() };
  for (const each of all) {
    for (const part of ["lines", "headings"] as const) {
      for (const [line, text] of each[part]) {
        const known = joint[part].get(line);
        if (known === undefined || compareText(text, known) < 0) joint[part].set(line, text);
      }
    }
  }
  return joint;
}
