import type { Fault } from "./neon.js";

/** What may befall a call, and how often each does. */
const kinds: readonly [weight: number, fault: Omit<Fault, "method" | "path">][] = [
  [4, { status: 503 }],
  [3, { status: 423 }],
  [3, { status: 429, headers: { "retry-after": "0" } }],
  [3, { status: 0 }],
  // Done all the same, and nobody hears of it.
  [3, { status: 0, after: true }],
  [2, { status: 500, after: true }],
];

/** Faults at random calls: the same for the same numbers. `random` gives numbers from 0 up to 1. */
export function chaosOf(random: () => number, share: number): (method: string, path: string) => Fault | undefined {
  const all = kinds.flatMap(([weight, fault]) => Array<typeof fault>(weight).fill(fault));
  return (method) => {
    if (random() >= share) return undefined;
    const kind = all[Math.floor(random() * all.length)];
    return kind && { method, path: /./, ...kind };
  };
}
