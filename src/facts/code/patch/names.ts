/** What diff writes for the side on which a file is not. */
export const nowhere = "/dev/null";

/** Prefixes git puts before the two names: `a/` and `b/`, with `diff.mnemonicPrefix` the others. */
const prefix = /^[abciwo12]\//;

/** No file system takes longer ones. */
const longestNames = 20_000;

/**
 * The two names behind `diff --git `. Names with blanks are not quoted, so that only equal names leave no doubt; of others
 * the header says more below.
 */
export function namesOf(rest: string): [string, string] | undefined {
  if (rest.length > longestNames) return undefined;
  const quoted = /^("(?:[^"\\]|\\.)*"|[^"]\S*) ("(?:[^"\\]|\\.)*"|[^" ]\S*)$/.exec(rest);
  if (quoted?.[1] !== undefined && quoted[2] !== undefined) return [unquote(quoted[1]), unquote(quoted[2])];
  const half = (rest.length - 1) / 2;
  if (rest[half] !== " ") return undefined;
  const [one, other] = [rest.slice(0, half), rest.slice(half + 1)];
  const same = one === other || (one.includes("/") && withoutFirst(one) === withoutFirst(other));
  return same ? [one, other] : undefined;
}

/** A name in `---` and `+++`: a tab ends it, behind which diff writes a time. */
export function nameIn(line: string): string {
  const name = line.slice(4);
  return name.startsWith('"') ? unquote(name.replace(/"\t.*$/s, '"')) : name.replace(/\t.*$/s, "");
}

const escapes = new Map([
  ["a", 7],
  ["b", 8],
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13],
]);

/** Git's C quoting of names with special characters (quote.c): bytes in octal, which together are UTF-8. */
export function unquote(name: string): string {
  if (!/^".*"$/s.test(name)) return name;
  const bytes = name.slice(1, -1).replace(/[^\\]+|\\([0-7]{3}|.)/gsu, (whole, code: string | undefined) => {
    const byte = code?.length === 3 ? Number(`0o${code}`) & 0xff : escapes.get(code ?? "");
    return byte === undefined ? Buffer.from(code ?? whole, "utf8").toString("latin1") : String.fromCharCode(byte);
  });
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/**
 * Both names without their prefix: where they are equal there is none; where they are equal but for their first part
 * (`diff -r old new`), that part is it.
 */
export function withoutPrefixes([old, now]: readonly [string, string]): [string, string] {
  if (old === now) return [old, now];
  if (old !== nowhere && now !== nowhere) {
    const [one, other] = [withoutFirst(old), withoutFirst(now)];
    if (one !== undefined && one === other) return [one, other];
  }
  return [old.replace(prefix, ""), now.replace(prefix, "")];
}

function withoutFirst(name: string): string | undefined {
  const slash = name.indexOf("/");
  return slash < 0 ? undefined : name.slice(slash + 1);
}

/** PATH_MAX of Linux. */
const longestPath = 4_096;

/** True for what no file of a work tree is called; such a path is never looked up anywhere. */
export function leadsOut(path: string): boolean {
  if (path === "" || path.length > longestPath || path.startsWith("/") || path.includes("\0")) return true;
  return path.split("/").some((part) => part === "" || part === "." || part === ".." || part.toLowerCase() === ".git");
}
