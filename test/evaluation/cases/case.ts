import type { Report } from "../../../src/model/report.js";
import { studio, type Way } from "./studio.js";

/** Some runs that design the same thing in a few ways, and what a reviewer must be shown of it. */
export interface Case {
  name: string;
  /** How many runs go which way; `none` makes no schema at all. */
  runs: [count: number, way: Way | "none"][];
  /** The sizes of the options of every decision, in no order; undefined: not asked. */
  sizes?: string[];
  /** Names the naming block must tell. */
  named?: string[];
  /** How many runs have a row of their own. */
  odd?: number;
  /** What else must hold, in words and as a test. */
  also?: Also;
}

export interface Also {
  what: string;
  holds(report: Report): boolean;
}

export const sizesOf = ({ options }: Report["decisions"][number]) => options.map(({ runs }) => runs.length).join(":");

export function sqlOf([count, way]: Case["runs"][number]): string[] {
  return Array.from({ length: count }, () => (way === "none" ? "" : studio(way)));
}

/** Two ways, six runs and four, or as told. */
export function two(name: string, one: Way, other: Way, sizes: string[], counts: [number, number] = [6, 4]): Case {
  return {
    name,
    runs: [
      [counts[0], one],
      [counts[1], other],
    ],
    sizes,
  };
}

const told = (report: Report) => JSON.stringify(report.decisions);

export const eachHasATwin: Also = {
  what: "each decision says which other one the same runs took",
  holds: ({ decisions }) => decisions.every(({ sameRunsAs }) => sameRunsAs.length === 1),
};

export function neverMentions(words: RegExp): Also {
  return { what: `no decision mentions ${words}`, holds: (report) => !words.test(told(report)) };
}
