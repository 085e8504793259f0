import type { CodeReading } from "../../model/code.js";
import { rootSlots } from "../../model/fact.js";
import { groupBy } from "../../model/groups.js";
import { compareText } from "../../model/text.js";
import type { CodeRun } from "./code-run.js";
import type { CodeFactsOf } from "./emit.js";

/**
 * Which source files of base a run changes, where that is news: all change it, or one run alone does. What lies between is
 * told by the place of the change.
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
  const paths = new Map(runs.map((run) => [run, new Set(run.reading.files.map((file) => file.oldPath ?? file.path))]));
  for (const [path, each] of [...touched].sort(([a], [b]) => compareText(a, b))) {
    if (each.length > 1 && each.length < counted.length) continue;
    const subject = `\`${shortPath(path)}\``;
    for (const run of runs) {
      if (!paths.get(run)?.has(path)) continue;
      facts.of(run.id, {
        slot: `file ${path}`,
        parents: [rootSlots.run],
        aspect: "presence",
        value: "present",
        label: "yes",
        absentLabel: "no",
        title: `Is ${subject} changed?`,
        topic: subject,
        subject,
        object: true,
        weight: 0.5,
      });
    }
  }
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
    const lines = files.reduce((sum, { added, deleted }) => sum + added + deleted, 0);
    const first = files[0]?.path ?? "";
    const label = files.length === 1 ? `\`${shortPath(first)}\`` : `${files.length} files, ${lines} lines, not read`;
    facts.of(run, {
      slot: "code foreign",
      aspect: "foreign",
      value: files.length > 0 ? "yes" : "no",
      label: files.length > 0 ? label : "no",
      title: "Does the run leave built, generated or vendored files in?",
      topic: "built, generated or vendored files",
      subject: "files that tools write",
      weight: 1,
      lack: files.length === 0,
    });
  }
}

/** The end of a long path says more than its beginning. */
function shortPath(path: string): string {
  const characters = [...path.replaceAll("`", "'")];
  return characters.length > 32 ? `…${characters.slice(-31).join("")}` : characters.join("");
}
