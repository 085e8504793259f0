import picomatch from "picomatch";
import type { Contract } from "../model/config.js";
import type { ChangedFile, RunRecord } from "../model/record.js";

/** Changed paths that leave the contract: outside every `allow` glob, or inside a `deny` glob. Both ends of a rename count. */
export function findViolations(contract: Contract, changed: readonly ChangedFile[]): RunRecord["violations"] {
  const { allow, deny = [] } = contract;
  const isAllowed = allow ? picomatch(allow, { dot: true }) : () => true;
  const denied = deny.map((glob) => ({ glob, matches: picomatch(glob, { dot: true }) }));
  const paths = changed.flatMap((file) => (file.oldPath === null ? [file.path] : [file.oldPath, file.path]));
  return paths.flatMap((path) => [
    ...(isAllowed(path) ? [] : [{ rule: "allow", path }]),
    ...denied.filter(({ matches }) => matches(path)).map(({ glob }) => ({ rule: `deny ${glob}`, path })),
  ]);
}
