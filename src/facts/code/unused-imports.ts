import type { SymbolChange } from "../../model/code.js";
import type { CodeText } from "./syntax.js";

/** Languages in which a name that is imported is used by that name in the same file. */
const named = /\.(?:py|[cm]?[jt]sx?)$/;
/** Files that import in order to hand on. */
const handing = /(?:^|\/)(?:__init__\.py|index\.\w+)$/;
const most = 3;

/**
 * Names a run newly imports and that stand nowhere else in the file, comments and strings included: where in doubt, a name
 * is used. Names taken under another name are left out.
 */
export function unusedImports(changes: readonly SymbolChange[], { path, text, broken }: CodeText): string[] {
  if (!named.test(path) || handing.test(path) || broken.length > 0) return [];
  const facts = changes.flatMap((change) => (change.kind === "imports" ? change.facts : []));
  const names = facts.flatMap(({ kind, gone, slot }) => {
    const name = kind === "import" && !gone ? /^\S+ ([\p{L}_$][\p{L}\p{N}_$]*)$/u.exec(slot)?.[1] : undefined;
    return name === undefined ? [] : [name];
  });
  return [...new Set(names)].filter((name) => saidOnce(name, text)).slice(0, most);
}

function saidOnce(name: string, text: string): boolean {
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${name.replaceAll("$", "\\$")}(?![\\p{L}\\p{N}_$])(\\s+as\\b)?`, "gu");
  const found = [...text.matchAll(word)];
  return found.length === 1 && found[0]?.[1] === undefined;
}
