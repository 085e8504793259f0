import type { TokenCounts, TraceEvent, Usage } from "../model/agent.js";

const unknown: Usage = { costUsd: null, tokens: null };

/** More messages than any honest run has; what is said of others is not looked at. */
const mostMessages = 20_000;

/** Adds up what an agent says it used, event by event. */
export class UsageSum {
  readonly #messages = new Map<string, Usage>();
  #result: Extract<TraceEvent, { kind: "result" }> | undefined;
  #overflow = false;

  add(event: TraceEvent): void {
    if (event.kind === "result") this.#result = event;
    if (event.kind !== "usage") return;
    // What is said of a message again replaces what was said: it is the same message.
    if (this.#messages.has(event.message) || this.#messages.size < mostMessages) {
      this.#messages.set(event.message, event.usage);
    } else this.#overflow = true;
  }

  /**
   * The final figures where the agent told any: they are sums already. Else the sum over messages, "at least" where one is
   * unknown or the agent never got to say that it was done: the last message may be missing, or told in part.
   */
  total(): Usage {
    const final = this.#result?.usage;
    const messages = sum([...this.#messages.values()]);
    const complete = this.#result?.ok === true && !this.#overflow;
    const summed = complete ? messages : atLeast(messages);
    if (final === undefined) return summed;
    // Each on its own: an agent may tell tokens and no cost at the end, and both on the way.
    const partly =
      (final.costUsd === null && summed.costUsd !== null) || (final.tokens === null && summed.tokens !== null);
    const both = { costUsd: final.costUsd ?? summed.costUsd, tokens: final.tokens ?? summed.tokens };
    return (partly && summed.atLeast) || final.atLeast ? atLeast(both) : both;
  }
}

/** What the events of one run say it used, each message once. */
export function sumUsage(events: Iterable<TraceEvent>): Usage {
  const all = new UsageSum();
  for (const event of events) all.add(event);
  return all.total();
}

function sum(usages: readonly Usage[]): Usage {
  const costs = usages.flatMap(({ costUsd }) => costUsd ?? []);
  const tokens = usages.flatMap((each) => each.tokens ?? []);
  const costUsd =
    costs.length === 0
      ? null
      : Math.min(
          costs.reduce((all, one) => all + one, 0),
          Number.MAX_VALUE,
        );
  const total: Usage = { costUsd, tokens: tokens.length === 0 ? null : tokens.reduce(plus) };
  const partly = (known: readonly unknown[]) => known.length > 0 && known.length < usages.length;
  return partly(costs) || partly(tokens) || usages.some((each) => each.atLeast) ? atLeast(total) : total;
}

function plus(a: TokenCounts, b: TokenCounts): TokenCounts {
  // An agent may claim any figure; a sum that is no whole number any more could not be written down.
  const add = (one: number, other: number) => Math.min(one + other, Number.MAX_SAFE_INTEGER);
  return { input: add(a.input, b.input), output: add(a.output, b.output), cached: add(a.cached, b.cached) };
}

/** Of what is wholly unknown there is no least. */
function atLeast(usage: Usage): Usage {
  return usage.costUsd === null && usage.tokens === null ? unknown : { ...usage, atLeast: true };
}
