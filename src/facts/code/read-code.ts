import { createHash } from "node:crypto";
import type { BaseFile, CodeReading, FileReading, PatchedFile, PatchState } from "../../model/code.js";
import type { RunArtifacts } from "../../model/fact.js";
import { differences } from "./differences.js";
import { withFragments } from "./patch/fragments.js";
import { unseen } from "./patch/frame.js";
import { readPatch } from "./patch/read-patch.js";
import { readText } from "./read-text.js";
import type { CodeText } from "./syntax.js";
import type { Parse } from "./tree.js";
import { undefinedNames } from "./undefined-names.js";

/**
 * Reads what each run's patch does to the code: its files, and in those whose text is read every symbol that differs from
 * base. A text that several runs share is read once.
 * @returns one reading for each run whose patch is known
 */
export function readCode(
  runs: readonly RunArtifacts[],
  base: ReadonlyMap<string, BaseFile> | null,
  parse: Parse,
): CodeReading[] {
  const reader = new Reader(parse);
  const texts = withFragments(
    runs.flatMap(({ patch }) => patch ?? []),
    base,
  );
  return runs.flatMap(({ id, patch }): CodeReading[] => {
    if (patch === null) return [];
    const { state, reason, files } = readPatch(patch, texts);
    const readings = files.map((file) => reader.file(file));
    return [{ run: id, state: refined(state, readings), reason, files: readings }];
  });
}

/** Comments and layout alone change nothing of the program. */
function refined(state: PatchState, files: readonly FileReading[]): PatchState {
  if (state !== "changed") return state;
  const sources = files.filter(({ fileClass }) => fileClass === "source");
  const unknown = sources.some(({ unread }) => unread !== null);
  const changes = sources.some(
    ({ symbols, status }) => status === "renamed" || symbols.some((each) => each.status !== "text"),
  );
  return changes || unknown ? "changed" : "text only";
}

/** What of a file both sides say, kept by the texts themselves. */
type Read = Pick<FileReading, "symbols" | "broken" | "undefinedNames">;

class Reader {
  readonly #texts = new Map<string, CodeText>();
  readonly #pairs = new Map<string, Read>();

  constructor(private readonly parse: Parse) {}

  file({ before, after, ...file }: PatchedFile): FileReading {
    const { path, oldPath } = file;
    const result = after === null ? null : hash(after);
    const said = this.#between(oldPath ?? path, path, { before, after });
    return { ...file, result, ...(file.partial ? inPart(said) : said) };
  }

  #between(oldPath: string, path: string, { before, after }: Pick<PatchedFile, "before" | "after">): Read {
    if (before === null && after === null) return { symbols: [], broken: null, undefinedNames: [] };
    const key = [oldPath, path, before === null ? "" : hash(before), after === null ? "" : hash(after)].join("\u0001");
    const known = this.#pairs.get(key);
    if (known) return known;
    const [old, now] = [this.#text(oldPath, before), this.#text(path, after)];
    const broken = old && old.broken.length > 0 ? null : (now?.broken[0] ?? null);
    const read = { symbols: differences(old, now), broken, undefinedNames: now ? undefinedNames(old, now) : [] };
    this.#pairs.set(key, read);
    return read;
  }

  #text(path: string, text: string | null): CodeText | null {
    if (text === null) return null;
    const key = `${path}\u0001${hash(text)}`;
    const known = this.#texts.get(key) ?? readText(path, text, this.parse);
    this.#texts.set(key, known);
    return known;
  }
}

/** What is not shown may define a name, end a bracket or hold another `yield`: nothing is said that it could undo. */
function inPart({ symbols }: Read): Read {
  const known = symbols.map((each) => ({
    ...each,
    name: placed(each.name),
    facts: each.facts.filter(({ kind }) => kind !== "generator"),
  }));
  return { symbols: known, broken: null, undefinedNames: [] };
}

/** A function whose name nobody shows is called by its place. */
function placed(name: string): string {
  return name.replace(unseenName, (_, line: string) => `<line ${line}>`);
}

const unseenName = new RegExp(`\\b${unseen}(\\d+)\\b`, "g");

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
