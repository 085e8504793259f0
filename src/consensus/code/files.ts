import type { CodeReading, FileReading } from "../../model/code.js";
import { type Fact, rootSlots } from "../../model/fact.js";
import { groupBy } from "../../model/groups.js";
import type { RunId } from "../../model/ids.js";
import { compareText } from "../../model/text.js";
import { baseName } from "./breakage.js";
import type { CodeRun } from "./code-run.js";
import type { CodeFactsOf } from "./emit.js";

/**
 * Which source files of base a run changes, where that is news: all or all but one change it, or one run alone does. What
 * lies between is told by the place of the change. New files are told where one run alone has them, or several have the same.
 */
export function tellFiles(runs: readonly CodeRun[], facts: CodeFactsOf): void {
  const counted = runs.filter(({ isReference }) => !isReference);
  const touched = groupBy(
    counted.flatMap(({ id, reading }) =>
      reading.files
        .filter(({ fileClass, status }) => fileClass === "source" && status !== "added")
        .map(({ path, oldPath }) => ({ id, path: oldPath ?? path })),
    ),
    ({ path }) => path,
  );
  const byPath = new Map(
    runs.map(({ id, reading }) => [id, new Map(reading.files.map((file) => [file.oldPath ?? file.path, file]))]),
  );
  for (const [path, each] of [...touched].sort(([a], [b]) => compareText(a, b))) {
    if (each.length > 1 && (each.length < counted.length - 1 || 5 * each.length < 4 * counted.length)) continue;
    const subject = `\`${shortPath(path)}\``;
    for (const { id } of runs) {
      const file = byPath.get(id)?.get(path);
      const fact = fileFact({ slot: `file ${path}`, subject, title: `Is ${subject} changed?`, file });
      // Runs that change no code at all are not asked.
      if (each.length > 1) facts.of(id, file ? fact : { ...fact, ...leftAlone });
      else if (file) facts.of(id, { ...fact, absentLabel: "no" });
    }
  }
  tellNewFiles(runs, facts);
}

const leftAlone = { value: "absent", label: "no", lack: true };

/** New files of two or more runs, and of one. What tools write, and tests, are told elsewhere. */
function tellNewFiles(runs: readonly CodeRun[], facts: CodeFactsOf): void {
  for (const [path, each] of groupBy(addedFiles(runs), ({ path }) => path)) {
    const makers = new Set(each.filter(({ isCounted }) => isCounted).map(({ run }) => run)).size;
    // What only a reference adds is no choice of the runs.
    if (makers === 0) continue;
    const isOwn = makers === 1;
    const name = `\`${isOwn ? shortPath(path) : baseName(path)}\``;
    for (const { run, file } of each) {
      const subject = isOwn ? `${name} (new)` : name;
      const title = `Is a file ${name} added?`;
      const weight = isOwn || file.fileClass !== "source" ? 0.5 : 1.5;
      facts.of(run, { ...fileFact({ slot: `code file ${path}`, subject, title, file }), absentLabel: "no", weight });
    }
  }
}

interface AddedFile {
  run: RunId;
  isCounted: boolean;
  path: string;
  file: FileReading;
}

function addedFiles(runs: readonly CodeRun[]): AddedFile[] {
  return runs.flatMap(({ id, reading, paths, isReference }) =>
    reading.files
      .filter(
        ({ status, fileClass }) => status === "added" && ["source", "config", "docs", "other"].includes(fileClass),
      )
      .map((file) => ({ run: id, isCounted: !isReference, path: paths.get(file) ?? file.path, file })),
  );
}

/** Files that runs add: what is in them follows from them. */
export function newFilesOf(runs: readonly CodeRun[]): ReadonlySet<FileReading> {
  return new Set(addedFiles(runs).map(({ file }) => file));
}

interface FileWords {
  slot: string;
  subject: string;
  title: string;
  file: FileReading | undefined;
}

function fileFact({ slot, subject, title, file }: FileWords): Omit<Fact, "run" | "dimension" | "links" | "risk"> {
  return {
    slot,
    parents: [rootSlots.run],
    aspect: "presence",
    value: "present",
    label: "yes",
    title,
    topic: subject,
    subject,
    object: true,
    lack: false,
    weight: 0.5,
    evidence: file ? [{ file: file.path, line: null }] : [],
  };
}

/** Files that tools write are counted and not read; that few runs leave them in is worth knowing. */
export function tellForeign(readings: readonly CodeReading[], facts: CodeFactsOf): void {
  const foreign = new Map(
    readings.map(({ run, files }) => [
      run,
      files.filter(({ fileClass }) => fileClass === "generated" || fileClass === "vendored"),
    ]),
  );
  if ([...foreign.values()].every((files) => files.length === 0)) return;
  for (const [run, files] of foreign) {
    const label = filesLabel(files);
    facts.of(run, {
      slot: "code foreign",
      aspect: "foreign",
      value: files.length > 0 ? "yes" : "no",
      label: files.length > 0 ? label : "no",
      title: "Does the run leave built, generated or vendored files in?",
      topic: "built, generated or vendored files",
      subject: "files that tools write",
      weight: 0.5,
      lack: files.length === 0,
    });
  }
}

/** One by its name, more by the folder they have in common. */
function filesLabel(files: readonly FileReading[]): string {
  const lines = files.reduce((sum, { added, deleted }) => sum + added + deleted, 0);
  const [first, ...more] = files.map(({ path }) => path);
  if (first === undefined || more.length === 0) return `\`${shortPath(first ?? "")}\``;
  const folders = first.split("/").slice(0, -1);
  const shared = folders.filter((_, at) =>
    more.every((path) => path.startsWith(`${folders.slice(0, at + 1).join("/")}/`)),
  );
  const where = shared.length > 0 ? ` in \`${shortPath(`${shared.join("/")}/`)}\`` : "";
  return `${files.length} files${where}, ${lines} lines, not read`;
}

/** The end of a long path says more than its beginning. */
function shortPath(path: string): string {
  const characters = [...path.replaceAll("`", "'")];
  return characters.length > 32 ? `…${characters.slice(-31).join("")}` : characters.join("");
}
