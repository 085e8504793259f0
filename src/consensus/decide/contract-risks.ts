import type { Violation } from "../../model/contract.js";
import type { RunId } from "../../model/ids.js";
import type { Report } from "../../model/report.js";
import { compareText } from "../../model/text.js";
import type { ConsensusRun } from "../ask/standing.js";

interface Broken {
  runs: Set<RunId>;
  /** What was found, as it is shown. */
  things: Set<string>;
  /** The most that one run has beyond what is kept of it. */
  more: number;
}

/** So many are named in one row; all of them stand with each run. */
const mostNamed = 3;

/** Runs that left their contract, one row a rule, with the first things by which they did. */
export function contractRisks(runs: readonly ConsensusRun[]): Report["risks"] {
  const rules = new Map<string, Broken>();
  for (const { id, record } of runs) {
    for (const violation of record?.violations ?? []) {
      const known = rules.get(violation.rule) ?? { runs: new Set<RunId>(), things: new Set<string>(), more: 0 };
      known.runs.add(id);
      const thing = thingOf(violation);
      if (thing !== "") known.things.add(thing);
      known.more = Math.max(known.more, violation.more ?? 0);
      rules.set(violation.rule, known);
    }
  }
  return [...rules]
    .sort(([a], [b]) => compareText(a, b))
    .map(([rule, broken]) => ({
      title: titleOf(rule, listOf(broken)),
      runs: [...broken.runs].sort(compareText),
      of: runs.length,
    }));
}

/** `.github/x`; of what is forbidden what it was, and where: `npm left-pad` (`package.json` line 3). */
function thingOf({ rule, path, line, found }: Violation): string {
  if (rule.startsWith("limit ")) return found ?? "";
  if (found === undefined) return path === "" ? "" : quote(path);
  const place = path === "" ? "" : ` (${quote(path)}${line === undefined ? "" : ` line ${line}`})`;
  return `${quote(found)}${place}`;
}

function quote(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

function listOf({ things, more }: Broken): string {
  const shown = [...things].sort(compareText).slice(0, mostNamed);
  const left = things.size - shown.length + more;
  return `${shown.join(", ")}${left > 0 ? ` and ${more > 0 ? "at least " : ""}${left} more` : ""}`;
}

function titleOf(rule: string, things: string): string {
  const [kind = "", ...rest] = rule.split(" ");
  const what = rest.join(" ");
  if (kind === "limit") return `changes more ${what} than the contract's limit: ${things}`;
  if (kind === "require") return `leaves no new or changed file ${quote(what)}, which the contract requires`;
  if (kind === "forbid") return `${what}, which the contract forbids: ${things}`;
  const words = kind === "allow" ? "outside what the contract allows" : `against the contract's deny ${quote(what)}`;
  return things === "" ? words : `changes ${things}, ${words}`;
}
