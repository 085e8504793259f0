import { z } from "zod";

/** What an agent may write at most: more is no claim but an attack on whoever reads it. */
const text = z.string().max(10_000);

/**
 * `claims.json`: what an agent says of its own work. Untrusted: it may name things and be contradicted, it never counts.
 */
export const claimsSchema = z.strictObject({
  version: z.literal(1),
  summary: text.optional(),
  testsPass: z.boolean().optional(),
  /** Relative to the workspace, as git names them. */
  filesChanged: z.array(text).max(10_000).optional(),
  migrationApplied: z.boolean().optional(),
  decisions: z
    .array(z.strictObject({ question: text, answer: text, why: text.optional() }))
    .max(1_000)
    .optional(),
});
export type Claims = z.infer<typeof claimsSchema>;
