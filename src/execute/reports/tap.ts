import { MultirunError } from "../../model/error.js";
import { deepest, type FoundTest, mostFound } from "./found.js";

/** Matches whatever follows in one way only: a line may be of any length. */
const point = /^( *)(not )?ok\b(?: +(\d+))?(?: +-)?(?: +(.*))?$/s;

/**
 * Test points of TAP 13 and 14 (https://testanything.org/tap-version-14-specification.html), subtests by their indent of
 * four: before their parent's own point, or after it between braces. Other lines are the program's own output.
 * @throws MultirunError `bad_artifact` where there is neither a test nor a plan
 */
export function readTap(text: string): FoundTest[] {
  const points = new Points();
  let block: string | undefined;
  /** The line that may begin what a test says about itself; elsewhere dashes are just dashes. */
  let begin: string | undefined;
  let planned = false;
  for (const raw of text.split("\n")) {
    const line = raw.trimEnd();
    if (block !== undefined) {
      if (line === block) block = undefined;
      continue;
    }
    const match = point.exec(line);
    if (match) points.add(match);
    else if (/^ *\d+\.\.\d+/.test(line)) planned = true;
    else if (line === begin) block = line.replace("---", "...");
    begin = match ? `${match[1]}  ---` : undefined;
  }
  const found = points.all();
  if (found.length === 0 && !planned) throw new MultirunError("bad_artifact", "there is no TAP in it");
  return found;
}

class Points {
  /** Those whose parents are all known. */
  readonly #whole: FoundTest[] = [];
  /** By depth, those whose parent has not come yet. */
  readonly #waiting: FoundTest[][] = [];
  /** By depth, names of parents that stand before their subtests. */
  readonly #opened: string[] = [];
  #count = 0;

  add([, indent = "", not, number, rest = ""]: RegExpExecArray): void {
    const depth = Math.floor(indent.length / 4);
    if (depth > deepest) return;
    this.#count += 1;
    if (this.#count > mostFound) throw new MultirunError("bad_artifact", `it has more than ${mostFound} test points`);
    this.#opened.length = Math.min(this.#opened.length, depth);
    const above = this.#opened.filter((each) => each !== undefined);
    const name = nameOf(rest) || `test ${number ?? "without a name"}`;
    const below = this.#waiting.splice(depth + 1).flat();
    for (const { path } of below) path.splice(above.length, 0, name);
    const level = above.length === depth ? this.#whole : (this.#waiting[depth] ?? []);
    for (const each of below) level.push(each);
    level.push({ path: [...above, name], status: statusOf(not !== undefined, rest) });
    if (level !== this.#whole) this.#waiting[depth] = level;
    if (rest.endsWith("{")) this.#opened[depth] = name;
  }

  all(): FoundTest[] {
    return [...this.#whole, ...this.#waiting.flat()];
  }
}

/** What stands before an unescaped `#`, which begins a directive, and before a brace, which opens subtests. */
function nameOf(rest: string): string {
  const [said = ""] = rest.split(/(?:^|\s)#\s/, 1);
  return (said.endsWith("{") ? said.slice(0, -1) : said).trim().replace(/\\([#\\])/g, "$1");
}

/** A test that is still to be made to work fails nobody. */
function statusOf(failed: boolean, rest: string): FoundTest["status"] {
  if (/(?:^|\s)#\s*(?:skip|todo)\b/i.test(rest)) return "skip";
  return failed ? "fail" : "pass";
}
