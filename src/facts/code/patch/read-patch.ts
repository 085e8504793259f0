import type { FileClass, PatchedFile, PatchReading, PatchState } from "../../../model/code.js";
import { compareText } from "../../../model/text.js";
import { quote } from "../../words.js";
import { classOf, isForeign, isRead } from "./classes.js";
import type { BaseText } from "./fragments.js";
import { leadsOut } from "./names.js";
import { type FileChange, parsePatch } from "./parse.js";
import { type Content, contentOf, noBaseText, notApplying, type Texts, textsOf, unreadTexts } from "./texts.js";
import { isFresh, usedPrograms } from "./used.js";

/**
 * What a run's patch does, file by file: both texts of each file whose class is read, counts of all others.
 * @param base texts of the commit it was made for, by path; null where nobody has them: new and deleted files are read all
 * the same
 */
export function readPatch(patch: string, base: ReadonlyMap<string, BaseText> | null): PatchReading {
  const changes = parsePatch(patch);
  const around: Surroundings = { base, used: usedPrograms(changes), movedAway: new Set() };
  const drafts = new Map<string, Draft>();
  for (const change of changes) {
    const path = change.oldPath ?? change.path;
    const earlier = earlierOf(drafts.get(path), path, base);
    if (earlier && change.status !== "copied") drafts.delete(path);
    const file = follow(earlier, change, around);
    if (change.status === "renamed") around.movedAway.add(path);
    if (file) drafts.set(file.path, file);
  }
  const files = [...drafts.values()].map(fileOf).sort((a, b) => compareText(a.path, b.path));
  return { ...stateOf(patch, files), files };
}

/** Paths of the files a patch touches and whose text is read. */
export function pathsOf(patch: string): string[] {
  return [...new Set(parsePatch(patch).flatMap(({ path }) => (isRead(classOf(path)) ? [path] : [])))];
}

/** Paths whose base texts `readPatch` asks for. */
export function basePathsOf(patch: string): string[] {
  const paths = parsePatch(patch).flatMap((change) => {
    const path = change.oldPath ?? change.path;
    const wanted = change.status !== "added" && !leadsOut(path) && isRead(classOf(change.path));
    return wanted ? [path] : [];
  });
  return [...new Set(paths)];
}

type Draft = Omit<PatchedFile, "before" | "after" | "unread"> & Texts;

interface Surroundings {
  base: ReadonlyMap<string, BaseText> | null;
  used: (path: string) => boolean;
  /** Paths whose file an earlier part of the patch moved. */
  movedAway: Set<string>;
}

/** What the patch did to the file before. Where two files change places, the second part means base's and not the moved one. */
function earlierOf(draft: Draft | undefined, path: string, base: Surroundings["base"]): Draft | undefined {
  const arrived = draft !== undefined && draft.oldPath !== null && base?.has(path);
  return arrived ? undefined : draft;
}

/**
 * A change on top of what the same patch did to the file before, as a series of commits has it; a file replaced by a link is
 * deleted first. Undefined where nothing remains of it.
 */
function follow(earlier: Draft | undefined, change: FileChange, around: Surroundings): Draft | undefined {
  const first = earlier === undefined || change.status === "copied";
  const before = earlier ? earlier.after : beforeOf(change, around);
  const fileClass = leadsOut(change.path)
    ? "other"
    : classOf(change.path, { fresh: isFresh(first ? change : earlier), used: around.used(change.path) });
  const { path, oldPath, status, body } = change;
  const read = isRead(fileClass) && !escapes(change);
  const texts = escapes(change) ? unreadTexts(outside) : read ? appliedTo(before, change) : unreadTexts(counted);
  const own: Draft = { path, oldPath, status, fileClass, added: body.added, deleted: body.deleted, ...texts };
  if (first) return change.status === "copied" ? { ...own, before: { text: null } } : own;
  const joined = join(earlier, change);
  if (joined === undefined) return undefined;
  const added = earlier.added + own.added;
  return { ...own, ...joined, before: earlier.before, added, deleted: earlier.deleted + own.deleted };
}

/** What does not fit what others show may well apply to base. */
function appliedTo(before: Content, change: FileChange): Texts {
  const texts = textsOf(change, before);
  const isPartial = "partial" in before && change.body.broken === null;
  const failed = "unread" in texts.after && texts.after.unread.startsWith(notApplying);
  return isPartial && failed ? unreadTexts(unlikeOthers) : texts;
}

const unlikeOthers = `${noBaseText}, and other patches show other lines`;
const outside = "its path leads out of the tree";
/** Told of no file of such a class: it is nothing to wonder at. */
const counted = "its class is only counted";

function escapes({ path, oldPath }: FileChange): boolean {
  return leadsOut(path) || (oldPath !== null && leadsOut(oldPath));
}

function beforeOf({ path, oldPath, status }: FileChange, { base, movedAway }: Surroundings): Content {
  const content = contentOf(base?.get(oldPath ?? path));
  const isUnknown = "unread" in content || "partial" in content;
  return status === "added" && (isUnknown || movedAway.has(path)) ? { text: null } : content;
}

/** Two steps as one. */
function join(earlier: Draft, change: FileChange): Pick<Draft, "status" | "oldPath"> | undefined {
  const isNew = isFresh(earlier);
  if (change.status === "deleted") return isNew ? undefined : { status: "deleted", oldPath: earlier.oldPath };
  if (earlier.status === "deleted") return { status: "modified", oldPath: earlier.oldPath };
  if (change.status !== "renamed" || isNew) return { status: earlier.status, oldPath: earlier.oldPath };
  return { status: "renamed", oldPath: earlier.oldPath ?? earlier.path };
}

/** Tools say in a file that they wrote it, so that its class is sure only when its text is there. */
function fileOf({ before, after, ...draft }: Draft): PatchedFile {
  const nothing = { before: null, after: null };
  const unread = "unread" in after ? after.unread : "unread" in before ? before.unread : undefined;
  const usual = unread === counted && !isRead(draft.fileClass);
  if (unread !== undefined) return { ...draft, ...nothing, unread: usual ? null : unread };
  const partial = "partial" in before || "partial" in after ? { partial: true as const } : {};
  const texts = { before: textOf(before), after: textOf(after), ...partial };
  const text = texts.before ?? texts.after ?? "";
  if (isGeneratedText(draft, text)) return { ...draft, fileClass: "generated", ...nothing, unread: null };
  return { ...draft, ...texts, unread: null };
}

function isGeneratedText({ path }: Pick<Draft, "path">, text: string): boolean {
  return classOf(path, { text }) === "generated";
}

function textOf(content: Content): string | null {
  return "text" in content ? content.text : null;
}

function stateOf(patch: string, files: readonly PatchedFile[]): Pick<PatchReading, "state" | "reason"> {
  if (patch.trim() === "") return { state: "no patch", reason: null };
  if (files.length === 0) return { state: "does not apply", reason: "it holds no change of a file" };
  const failed = files.filter(({ unread }) => unread?.startsWith(notApplying));
  const [one] = failed;
  if (one === undefined) return { state: stateBy(files.map(({ fileClass }) => fileClass)), reason: null };
  const others = failed.length > 1 ? `, and ${failed.length - 1} more` : "";
  return { state: "does not apply", reason: `${quote(one.path)} ${one.unread}${others}` };
}

/** By the class that weighs most. */
function stateBy(classes: readonly FileClass[]): PatchState {
  if (classes.includes("source")) return "changed";
  if (classes.includes("test")) return "tests only";
  if (classes.every(isForeign)) return "generated only";
  return classes.every((each) => each === "scratch" || isForeign(each)) ? "scratch only" : "other files only";
}
