import type { RunId } from "../../model/ids.js";
import type { Violation } from "../../model/record.js";
import type { Report } from "../../model/report.js";
import { compareText } from "../../model/text.js";
import type { ConsensusRun } from "../ask/standing.js";

/** Runs that left their contract, one row a rule, with the first things by which they did. */
export function contractRisks(runs: readonly ConsensusRun[]): Report["risks"] {
  const rules = new Map<string, { runs: Set<RunId>; broken: Violation[] }>();
  for (const { id, record } of runs) {
    for (const violation of record?.violations ?? []) {
      const known = rules.get(violation.rule) ?? { runs: new Set<RunId>(), broken: [] };
      known.runs.add(id);
      known.broken.push(violation);
      rules.set(violation.rule, known);
    }
  }
  return [...rules]
    .sort(([a], [b]) => compareText(a, b))
    .map(([rule, { runs: broke, broken }]) => ({
      title: titleOf(rule, broken),
      runs: [...broke].sort(compareText),
      of: runs.length,
    }));
}

function titleOf(rule: string, broken: readonly Violation[]): string {
  const [, kind = "", value = ""] = /^(\w+) ?([\s\S]*)$/.exec(rule) ?? [];
  const paths = listed(broken.map(({ path }) => path));
  const found = listed(broken.map((each) => each.found ?? each.path));
  if (kind === "forbid") return `${value}${found === "" ? "" : ` (${found})`}, which the contract forbids`;
  if (kind === "require") return `nothing that matches ${quoted(value)}, which the contract requires`;
  if (kind.startsWith("max")) {
    const sizes = [...new Set(broken.map((each) => each.found ?? ""))].sort(byNumber);
    return `${sizes.at(-1)}, more than the contract's ${value}`;
  }
  const words = kind === "allow" ? "outside what the contract allows" : `against the contract's ${rule}`;
  return paths === "" ? words : `changes ${paths}, ${words}`;
}

function listed(names: readonly string[]): string {
  const all = [...new Set(names)].filter((name) => name !== "").sort(compareText);
  return `${all.slice(0, 3).map(quoted).join(", ")}${all.length > 3 ? ` and ${all.length - 3} more` : ""}`;
}

function quoted(name: string): string {
  return `\`${name.replaceAll("`", "'")}\``;
}

function byNumber(one: string, other: string): number {
  return Number.parseInt(one, 10) - Number.parseInt(other, 10);
}
