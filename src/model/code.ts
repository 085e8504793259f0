import { z } from "zod";

/**
 * What a file is for. `scratch` are programs a run wrote for itself: new, used by nothing. Generated, vendored and lock
 * files are written by tools.
 */
export type FileClass = "source" | "test" | "scratch" | "generated" | "vendored" | "lock" | "docs" | "config" | "other";

/** Characters of a text that is read, and bytes of one that is kept. */
export const largestText = 1_000_000;
/** Bytes of all texts of base that are kept. */
export const largestBase = 50_000_000;

const baseFile = z.union([
  z.strictObject({ text: z.string().max(largestText) }),
  z.strictObject({ unread: z.string().max(1_000) }),
]);

/** A file of the commit all runs started from, or why it could not be read. */
export type BaseFile = z.infer<typeof baseFile>;

/** `base/files.json`: of the files that runs touch, those that are read, by path. */
export const baseFilesSchema = z
  .strictObject({ version: z.literal(1), files: z.record(z.string().max(10_000), baseFile) })
  .refine(({ files }) => sizeOf(Object.values(files)) <= largestBase, {
    error: `at most ${largestBase} characters in all`,
  });

function sizeOf(files: readonly BaseFile[]): number {
  return files.reduce((sum, file) => sum + ("text" in file ? file.text.length : 0), 0);
}

/** One file a run's patch touches. */
export interface PatchedFile {
  path: string;
  /** Where it was moved or copied from. */
  oldPath: string | null;
  status: "added" | "deleted" | "modified" | "renamed" | "copied";
  fileClass: FileClass;
  /** Lines; counted for all classes. */
  added: number;
  deleted: number;
  /** Null: it was not there, its class is only counted, or it is `unread`. */
  before: string | null;
  after: string | null;
  /** Why there are no texts although its class is read: `no base text`, `binary`, `does not apply at line 12`. */
  unread: string | null;
}

/**
 * What a run's patch comes to as a whole. `text only` (comments and layout) is found when symbols are compared; until then
 * such a patch is `changed`.
 */
export type PatchState =
  | "changed"
  | "text only"
  | "tests only"
  | "scratch only"
  | "generated only"
  | "other files only"
  | "no patch"
  | "does not apply";

export interface PatchReading {
  state: PatchState;
  /** Why, where something does not apply. */
  reason: string | null;
  /** By path. */
  files: PatchedFile[];
}
