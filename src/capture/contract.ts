import picomatch from "picomatch";
import type { Contract, Violation } from "../model/contract.js";
import type { ChangedFile, PatchStats } from "../model/record.js";

/** Changed paths that leave the contract: outside every `allow` glob, or inside a `deny` glob. Both ends of a rename count. */
export function findViolations(contract: Contract, changed: readonly ChangedFile[]): Violation[] {
  const { allow, deny = [] } = contract;
  const isAllowed = allow ? matcher(allow) : () => true;
  const denied = deny.map((glob) => ({ glob, matches: strictly(glob) }));
  const paths = changed.flatMap((file) => (file.oldPath === null ? [file.path] : [file.oldPath, file.path]));
  return paths.flatMap((path) => [
    ...(isAllowed(path) ? [] : [{ rule: "allow", path }]),
    ...denied.filter(({ matches }) => matches(path)).map(({ glob }) => ({ rule: `deny ${glob}`, path })),
  ]);
}

/** Whether a path may not be changed, however it is spelled; undefined where nothing is denied. */
export function denialOf({ deny = [] }: Contract): ((path: string) => boolean) | undefined {
  const denied = deny.map(strictly);
  return denied.length === 0 ? undefined : (path) => denied.some((matches) => matches(path));
}

/** Globs of which the run left no new or changed file. */
export function findLacking({ require = [] }: Contract, changed: readonly ChangedFile[]): Violation[] {
  const left = changed.filter(({ status }) => status !== "deleted");
  return require
    .filter((glob) => {
      const matches = matcher([glob]);
      return !left.some(({ path }) => matches(path));
    })
    .map((glob) => ({ rule: `require ${glob}`, path: "" }));
}

/** Limits that a change goes beyond. */
export function findExcess(
  { limits = {} }: Contract,
  { files, added, deleted, bytes }: Pick<PatchStats, "files" | "added" | "deleted" | "bytes">,
): Violation[] {
  const sizes = { files, lines: added + deleted, bytes };
  return (["files", "lines", "bytes"] as const).flatMap((name) => {
    const most = limits[name];
    if (most === undefined || sizes[name] <= most) return [];
    return [{ rule: `limit ${name}`, path: "", found: `${sizes[name]} of at most ${most}` }];
  });
}

type Spelling = (text: string) => string;

function matcher(globs: readonly string[], spelled: Spelling = composed): (path: string) => boolean {
  const matches = picomatch(globs.map(spelled), { dot: true });
  return (path) => matches(oneLine(spelled(path)));
}

/** What is denied stays denied in other letters, and with all that lies in it: some file systems tell neither apart. */
function strictly(glob: string): (path: string) => boolean {
  return matcher([glob, `${glob.replace(/\/+$/, "")}/**`], folded);
}

/** One form of letters that can be written in two: an accent of its own, or one with its letter. */
function composed(text: string): string {
  return text.normalize("NFC");
}

/** By way of capitals, as some small letters (`ſ`) differ from others (`s`) in nothing else. */
function folded(text: string): string {
  return composed(composed(text).toUpperCase().toLowerCase());
}

/** In a glob nothing stands for the end of a line, which a name may hold. */
function oneLine(path: string): string {
  return path.replace(/[\n\r\u2028\u2029]/g, "\ufffd");
}
