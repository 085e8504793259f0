import type { Metered, ModelStop, Usage } from "../../model/agent.js";
import { type Counted, nothingCounted, plus, tokensOf } from "./counted.js";

/** What all runs of an experiment may spend together, and have spent. */
export interface Purse {
  budgetUsd: number | null;
  spentUsd: number;
  /** What calls may have cost that never said it, beyond what they did say. */
  heldUsd: number;
}

/** What one call cost, and may have cost. */
export interface Charge {
  counted: Counted;
  /** Null where nobody knows the price. */
  costUsd: number | null;
  /** False where an answer was cut before it said what it cost in all. */
  complete: boolean;
  /** What it may have cost beyond what it said: the budget bears it, the sum of what was spent does not. */
  heldUsd: number;
}

/** What one run asked of models, and what it cost. */
export class Account {
  requests = 0;
  bytes = 0;
  /** Why no further call passes. */
  stopped: ModelStop | null = null;
  /** What its maker refused it, which need not be the end of it. */
  refused: ModelStop | null = null;
  /** What it cannot go on without just now. */
  waitsFor: ModelStop | null = null;
  readonly #purse: Purse;
  readonly #budgetUsd: number | null;
  #counted: Counted = nothingCounted;
  #spentUsd = 0;
  #heldUsd = 0;
  #priced = true;
  #unpriced = 0;
  #partly = false;

  readonly #onCharge: (charge: Charge) => void;

  /** @param earlier what its attempts before this one were charged, which the purse has borne already */
  constructor(
    purse: Purse,
    budgetUsd: number | null,
    {
      earlier = [],
      onCharge = () => undefined,
    }: { earlier?: readonly Charge[]; onCharge?: (charge: Charge) => void } = {},
  ) {
    this.#purse = purse;
    this.#budgetUsd = budgetUsd;
    this.#onCharge = onCharge;
    for (const charge of earlier) this.#add(charge);
  }

  /** True where somebody counts on a limit: then no call may pass whose price nobody knows. */
  get isLimited(): boolean {
    return this.#budgetUsd !== null || this.#purse.budgetUsd !== null;
  }

  /** Adds one call. A run overspends by no more than the calls that were under way when its limit was reached. */
  charge(charge: Charge): void {
    this.#add(charge);
    this.#purse.spentUsd += charge.costUsd ?? 0;
    this.#purse.heldUsd += charge.heldUsd;
    this.#onCharge(charge);
  }

  #add({ counted, costUsd, complete, heldUsd }: Charge): void {
    this.#counted = plus(this.#counted, counted);
    this.#partly ||= !complete;
    if (costUsd === null) this.#unpriced += 1;
    this.#priced = this.#unpriced === 0;
    this.#spentUsd += costUsd ?? 0;
    this.#heldUsd += heldUsd;
  }

  /** Why no further call may pass; null where one may. */
  refusal(): ModelStop | null {
    this.stopped ??= this.#overBudget();
    return this.stopped;
  }

  metered(): Metered {
    return {
      requests: this.requests,
      bytes: this.bytes,
      usage: this.#usage(),
      stopped: this.stopped,
      refused: this.waitsFor ?? this.refused,
    };
  }

  #overBudget(): ModelStop | null {
    const own = this.#budgetUsd;
    const { budgetUsd: all, spentUsd, heldUsd } = this.#purse;
    if (own !== null && this.#spentUsd + this.#heldUsd >= own) {
      return overBudget(`its budget of ${dollars(own)} is used up`, this.#heldUsd);
    }
    if (all !== null && spentUsd + heldUsd >= all) {
      return overBudget(`the budget of ${dollars(all)} for all runs is used up`, heldUsd);
    }
    return null;
  }

  #usage(): Usage {
    const costUsd = this.#priced || this.#spentUsd > 0 ? this.#spentUsd : null;
    const partly = this.#partly || (!this.#priced && costUsd !== null);
    return { costUsd, tokens: tokensOf(this.#counted), ...(partly ? { atLeast: true as const } : {}) };
  }
}

function overBudget(words: string, heldUsd: number): ModelStop {
  const unsaid = `, with up to ${dollars(heldUsd)} for calls that were cut before they said what they cost`;
  return { outcome: "over_budget", reason: heldUsd > 0 ? words + unsaid : words };
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
