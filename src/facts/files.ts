import type { BaseArtifacts, Extractor, Reading, RunArtifacts } from "../model/fact.js";
import type { ChangedFile } from "../model/record.js";
import { classOf, isForeign } from "./code/patch/classes.js";
import { runSlot } from "./matching.js";
import { Statements } from "./statement.js";
import { quote } from "./words.js";

/**
 * Which files a run touches. Coarse on purpose, and light: it says where, not what. What the code does differently has
 * facts of its own, which belong beside this file.
 */
export const files: Extractor = {
  dimension: "code",
  read(run: RunArtifacts, _base: BaseArtifacts): Reading | undefined {
    const patch = run.record?.patch;
    if (!patch) return undefined;
    const statements = new Statements(run, "code", "patch.diff");
    for (const file of patch.changed) {
      if (isForeign(classOf(file.path, { fresh: file.status === "added" }))) continue;
      if (file.status === "deleted") deleted(statements, file.path);
      else touched(statements, file);
      if (file.status === "renamed" && file.oldPath !== null) deleted(statements, file.oldPath, file.path);
    }
    return { facts: statements.facts, complete: true };
  },
};

function touched(statements: Statements, { path, status }: ChangedFile): void {
  const subject = quote(shortPath(path));
  const fresh = status === "added" || status === "renamed";
  statements.object({
    slot: `${fresh ? "new " : ""}file ${path}`,
    parents: [runSlot],
    title: fresh ? `Is there a new file ${subject}?` : `Is ${subject} changed?`,
    subject,
    weight: 0.5,
  });
}

function deleted(statements: Statements, path: string, to?: string): void {
  const subject = quote(shortPath(path));
  statements.present({
    slot: `dropped file ${path}`,
    parents: [runSlot],
    title: `What becomes of file ${subject}?`,
    topic: `file ${subject}`,
    subject,
    label: to === undefined ? "deleted" : `moved to ${quote(shortPath(to))}`,
    absentLabel: "kept",
    weight: 2,
  });
}

/** The end of a long path says more than its beginning. */
function shortPath(path: string): string {
  const characters = [...path];
  return characters.length > 32 ? `…${characters.slice(-31).join("")}` : path;
}
