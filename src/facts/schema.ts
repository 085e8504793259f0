import type { Extractor, RunArtifacts } from "../model/fact.js";
import { type MatchedSchema, matchSchema } from "./matching.js";
import { Statements } from "./statement.js";

/** An extractor of what a run's schema holds beside base's. */
export function schemaExtractor(
  state: (statements: Statements, matched: MatchedSchema, run: RunArtifacts) => void,
): Extractor {
  return {
    dimension: "schema",
    read(run, base) {
      const matched = matchSchema(run, base);
      if (matched === undefined) return undefined;
      const statements = new Statements(run, "schema", "schema.json");
      state(statements, matched, run);
      return { facts: statements.facts, complete: matched.run.unreadable.length === 0 };
    },
  };
}
