import type { BaseArtifacts, RunArtifacts } from "../model/fact.js";
import { columns } from "./columns.js";
import { objects } from "./objects.js";
import { tables } from "./tables.js";

const verb = "drops ";

/** What base's schema has and a run's has not, as "table users": what is only called otherwise is there. */
export function lossesOf(run: RunArtifacts, base: BaseArtifacts): string[] {
  const facts = [tables, columns, objects].flatMap((extractor) => extractor.read(run, base)?.facts ?? []);
  const damage = facts.flatMap(({ risk }) => (risk?.kind === "damage" ? [risk.text] : []));
  return [...new Set(damage)]
    .filter((text) => text.startsWith(verb))
    .map((text) => text.slice(verb.length).replaceAll("`", ""));
}
