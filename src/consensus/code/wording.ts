import { compareText } from "../../model/text.js";
import type { CodeRun, PlacedFact } from "./code-run.js";
import type { CodeFactsOf } from "./emit.js";

/** Messages are worded differently by nearly everyone; whether they tell the value at hand is a small choice. */
export function tellWording(runs: readonly CodeRun[], facts: CodeFactsOf): void {
  const slots = new Map<string, Map<string, PlacedFact[]>>();
  for (const run of runs) {
    for (const fact of run.facts) {
      if (fact.kind !== "message" || fact.gone) continue;
      const said = slots.get(fact.slot) ?? new Map<string, PlacedFact[]>();
      said.set(run.id, [...(said.get(run.id) ?? []), fact]);
      slots.set(fact.slot, said);
    }
  }
  const widest = [...slots]
    .filter(([, said]) => said.size >= 3)
    .sort(([a, one], [b, other]) => other.size - one.size || compareText(a, b));
  for (const [slot, said] of widest.slice(0, 2)) {
    const texts = new Set(
      [...said.values()].map((each) =>
        each
          .map(({ value }) => value)
          .sort(compareText)
          .join("\n"),
      ),
    );
    for (const { id } of runs) {
      const own = said.get(id);
      if (!own) continue;
      const tells = own.some(({ shown }) => shown !== "");
      facts.of(id, {
        slot: `code wording ${slot}`,
        aspect: "wording",
        value: String(tells),
        label: tells ? "tells the value" : "fixed text",
        title: `How is the message of \`${slot}\` worded (${texts.size} ${texts.size === 1 ? "wording" : "wordings"})?`,
        topic: `message of \`${slot}\``,
        subject: `\`${slot}\``,
        weight: 0.5,
      });
    }
  }
}
