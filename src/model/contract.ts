import { z } from "zod";
import { nearest } from "./strict.js";

/** What `contract.forbid` knows. A rule nobody can enforce is no rule, so the list is closed. */
export const forbidRules = ["new dependencies", "deleted tests", "migrations that drop"] as const;
export type ForbidRule = (typeof forbidRules)[number];

const glob = z.string().min(1, "a glob cannot be empty").max(1_000, "a glob has at most 1000 characters");
const rule = z.string().refine((name) => forbidRules.some((known) => known === name), {
  error: ({ input }) => noRule(String(input)),
});
const limit = z
  .number("must be a whole number of at least 1")
  .int("must be a whole number of at least 1")
  .min(1, "must be a whole number of at least 1");

function noRule(name: string): string {
  const near = nearest(name, forbidRules);
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 57)}…` : name);
  const known = forbidRules.map((each) => `"${each}"`).join(", ");
  return `${shown} is no rule${near ? `; did you mean "${near}"?` : ""} (the rules: ${known})`;
}

/** What a run may do, and what it must. */
export const contractSchema = z.strictObject({
  allow: z.array(glob).optional(),
  deny: z.array(glob).optional(),
  forbid: z.array(rule).optional(),
  /** The most a run may change: files, lines added and deleted, bytes of its patch. */
  limits: z.strictObject({ files: limit.optional(), lines: limit.optional(), bytes: limit.optional() }).optional(),
  /** Of each glob, a run must add or change a file that is there in the end. */
  require: z.array(glob).optional(),
});
export type Contract = z.infer<typeof contractSchema>;

/** A contract as it stands in an `experiment.json`, also of a time in which nobody looked at its rules. */
export const plannedContract = contractSchema.extend({
  allow: z.array(z.string()).optional(),
  deny: z.array(z.string()).optional(),
  forbid: z.array(z.string()).optional(),
});

/** Violations of one rule that are kept of one run; the others are counted. */
export const mostViolations = 100;

/** A rule of the contract, and what breaks it. */
export const violation = z.strictObject({
  /** `allow`, `deny GLOB`, `forbid RULE`, `limit files|lines|bytes`, `require GLOB`. */
  rule: z.string(),
  /** Empty where it is about the change as a whole, or only the database shows it. */
  path: z.string(),
  line: z.number().int().positive().optional(),
  /** What was found, in words. */
  found: z.string().optional(),
  /** With the last one kept of its rule: how many are left out. */
  more: z.number().int().positive().optional(),
});
export type Violation = z.infer<typeof violation>;
