import { classOf, isForeign } from "../../facts/code/patch/classes.js";
import type { Contract } from "../../model/config.js";
import type { PatchStats, Violation } from "../../model/record.js";

/** Limits of size that a patch goes beyond. What tools write, as lock files, is nobody's to read and not counted. */
export function sizeViolations(
  contract: Contract,
  { changed, bytes }: Pick<PatchStats, "changed" | "bytes">,
): Violation[] {
  const own = changed.filter(({ path, status }) => !isForeign(classOf(path, { fresh: status === "added" })));
  const lines = own.reduce((sum, { added, deleted }) => sum + (added ?? 0) + (deleted ?? 0), 0);
  return [
    ...beyond("maxFiles", contract.maxFiles, own.length, "files"),
    ...beyond("maxLines", contract.maxLines, lines, "lines"),
    ...beyond("maxBytes", contract.maxBytes, bytes, "bytes"),
  ];
}

function beyond(name: string, limit: number | undefined, found: number, unit: string): Violation[] {
  if (limit === undefined || found <= limit) return [];
  return [{ rule: `${name} ${limit}`, path: "", found: `${found} ${unit}` }];
}
