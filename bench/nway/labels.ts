import { z } from "zod";

const runs = z.array(z.string()).min(1);
const text = z.string();
/** A case-insensitive regular expression on the words of a row. */
const about = z.string().transform((source) => new RegExp(source, "i"));

const sentence = z.discriminatedUnion("kind", [
  /** `rest`: all runs that are named neither in another option nor in a state, and to which it applies. */
  z.strictObject({
    kind: z.literal("split"),
    text,
    options: z.record(z.string(), z.union([runs, z.literal("rest")])),
    notApplicable: runs.optional(),
    about,
  }),
  z.strictObject({ kind: z.literal("agreed"), text, about }),
  z.strictObject({ kind: z.literal("naming"), text, names: z.array(z.string()).min(2) }),
  z.strictObject({ kind: z.literal("odd"), text: text.optional(), run: z.string(), about }),
  z.strictObject({ kind: z.literal("state"), text, runs }),
]);
export type Sentence = z.infer<typeof sentence>;

/** What a careful person would say of a set of runs, written down before the engine was asked. */
export const labels = z.strictObject({
  set: z.string(),
  source: z.array(z.string()).min(1),
  /** True where the engine was built while looking at the set: what it reaches there proves little. */
  tuned: z.boolean(),
  runs: z.array(z.string()).min(2),
  sentences: z.array(sentence),
  /** Rows that are right although no sentence has them. */
  noise: z.array(about).optional(),
});
export type Labels = z.infer<typeof labels>;

/** How a split divides the runs, by the names they have in the labels. */
export function divisionOf(sentence: Sentence & { kind: "split" }, { runs, sentences }: Labels): string[][] {
  const named = Object.values(sentence.options).flatMap((each) => (each === "rest" ? [] : each));
  const idle = sentences.flatMap((each) => (each.kind === "state" ? each.runs : []));
  const without = sentence.notApplicable ?? [];
  const unknown = [...named, ...without].filter((run) => !runs.includes(run));
  if (unknown.length > 0) throw new Error(`"${sentence.text}" names runs that the set does not have: ${unknown}`);
  const rest = runs.filter((run) => ![...named, ...idle, ...without].includes(run));
  return Object.values(sentence.options).map((each) => (each === "rest" ? rest : each));
}
