import type { Configuration, DomainName } from "./planted/measure.js";

/** What the engine must reach in every domain, on seeds it was not built on. */
export interface Bar {
  configuration: Configuration;
  measure: "tableAri" | "columnAri" | "recall" | "precision";
  atLeast: number;
}

export const bars: readonly Bar[] = [
  { configuration: "full", measure: "tableAri", atLeast: 0.99 },
  { configuration: "full", measure: "columnAri", atLeast: 0.98 },
  { configuration: "full", measure: "recall", atLeast: 0.98 },
  { configuration: "full", measure: "precision", atLeast: 0.95 },
  { configuration: "obfuscated", measure: "tableAri", atLeast: 0.95 },
  { configuration: "oracle", measure: "recall", atLeast: 0.98 },
  { configuration: "oracle", measure: "precision", atLeast: 0.95 },
];

/** Comparing by name must be worse than aligning by so much, or aligning is not worth its risks. */
export const clearlyWorse: readonly { measure: "tableAri" | "recall" | "precision"; by: number }[] = [
  { measure: "tableAri", by: 0.3 },
  { measure: "recall", by: 0.3 },
  { measure: "precision", by: 0.3 },
];

/** Of pairs of tables that are not the same thing, how many are taken for one. */
export const mostFalseMerges = 0;
/** Independent choices taken for one, pairs per set of forty. */
export const mostFalseCovariations = 0.05;

export function nameOf(domain: DomainName, { configuration, measure }: Omit<Bar, "atLeast">): string {
  return `${domain} ${configuration} ${measure}`;
}
