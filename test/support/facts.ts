import { readFacts } from "../../src/facts/facts.js";
import type { BaseArtifacts, Fact } from "../../src/model/fact.js";
import type { SchemaSnapshot } from "../../src/model/schema.js";
import { type RunParts, run, snapshot } from "./runs.js";

/** The facts of one run as "slot · aspect: label", those that only say that something changed left out. */
export function told(parts: RunParts, base: BaseArtifacts | SchemaSnapshot = snapshot([])): string[] {
  return factsOf(parts, base)
    .filter(({ slot }) => slot !== "run" && slot !== "schema" && !slot.includes("file "))
    .map(({ slot, aspect, label }) => `${slot} · ${aspect}: ${label}`)
    .sort();
}

export function factsOf(parts: RunParts, base: BaseArtifacts | SchemaSnapshot = snapshot([])): Fact[] {
  const artifacts = "version" in base ? { schema: base, checks: null } : base;
  return readFacts([run(1, parts)], artifacts)[0]?.facts ?? [];
}

/** The damage a run did, in words. */
export function damage(parts: RunParts, base: BaseArtifacts | SchemaSnapshot): string[] {
  return factsOf(parts, base)
    .flatMap(({ risk }) => (risk?.kind === "damage" ? [risk.text] : []))
    .sort();
}
