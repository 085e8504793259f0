import { type Holder, holderName } from "../model/ids.js";
import type { ResourceKind } from "../model/ledger.js";

/** One thing of a kind that exists right now, whoever remembers it. */
export interface Held {
  kind: ResourceKind;
  /** Name under which it is acquired, released and found again: a path, a database name, `pid:start`. */
  id: string;
  /** Who holds it: what `release` takes. */
  holder: Holder;
  /** ISO 8601: after this time nobody can still be using it, whatever machine it was made from. */
  expiresAt?: string;
}

/** What a run borrows and must give back. */
export interface Resource<T> {
  readonly kind: ResourceKind;
  /** The id `acquire` will use for this holder: known beforehand, so that it can be written down beforehand. */
  idFor(holder: Holder): string;
  /** Idempotent: a second call for the same holder gives the same thing. */
  acquire(holder: Holder): Promise<T>;
  /** Tolerates "never acquired" and "already gone". */
  release(holder: Holder): Promise<void>;
  /** All that exists with our marker, from the real world. */
  list(): Promise<Held[]>;
}

/**
 * Every holder of these things once, those of base last and apart: its roles have privileges on what was copied from it,
 * and cannot be dropped before that is gone.
 */
export function inOrderOfRelease(held: readonly Held[]): [others: Holder[], base: Holder[]] {
  const holders = new Map(held.map(({ holder }) => [`${holder.experiment} ${holderName(holder)}`, holder]));
  const all = [...holders.values()];
  return [all.filter(({ run }) => run !== "base"), all.filter(({ run }) => run === "base")];
}
