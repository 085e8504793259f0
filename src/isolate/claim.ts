import type { Deps } from "../model/deps.js";
import { MultirunError } from "../model/error.js";
import type { Lease, Leases } from "./leases.js";

const pollMs = 200;
const renewEveryMs = 2_000;

/** Keeps a lease alive while work goes on under it. */
export interface Guard {
  /** Aborted when the lease was taken over: the work must stop, its output stays where it is. */
  signal: AbortSignal;
  /** Ends the keeping; the lease itself stays held until it is given back. */
  stop(): void;
}

/** Renews a lease every two seconds until it is lost or the guard is stopped. */
export function keepLease(lease: Lease): Guard {
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    if (await lease.renew()) return;
    clearInterval(timer);
    lost.abort(new MultirunError("lease_lost", `${lease.name} was taken over by another process`));
  };
  const timer = setInterval(() => void renew().catch((error: unknown) => lost.abort(error)), renewEveryMs);
  timer.unref();
  return { signal: lost.signal, stop: () => clearInterval(timer) };
}

export interface Claiming {
  leases: Leases;
  deps: Pick<Deps, "sleep">;
  /** Ends the waiting. */
  signal: AbortSignal;
}

/**
 * Claims a name, waiting while another process holds it.
 * @throws the signal's reason where it is aborted meanwhile
 */
export async function claim({ leases, deps, signal }: Claiming, name: string): Promise<Lease> {
  for (;;) {
    const lease = await leases.claim(name);
    if (lease) return lease;
    if (signal.aborted) throw signal.reason;
    await deps.sleep(pollMs);
  }
}

/** Does something that only one process may do at a time. */
export async function underLease<T>(claiming: Claiming, name: string, work: (lease: Lease) => Promise<T>): Promise<T> {
  const lease = await claim(claiming, name);
  const guard = keepLease(lease);
  try {
    return await work(lease);
  } finally {
    guard.stop();
    await lease.giveBack();
  }
}
