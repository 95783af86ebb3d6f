/** The account and key of a request, and how many concurrent requests each may have. */
export type SlotHolder = {
  readonly accountId: string;
  readonly keyId: string;
  readonly plan: { readonly atOnce: number; readonly keyAtOnce: number };
};

/** The limit that was reached, and its number of slots. */
export type LimitReached = { readonly of: "all" | "the account" | "the key"; readonly places: number };

/**
 * Bounds the queries in flight, in all, per account and per key; beyond that the server sheds load instead of queueing.
 * An answer occupies the slots of its account and key until it is sent, so that a caller that does not read its answers
 * cannot fill the memory with them, but not the one of all, which would let it stop the others.
 */
export type ConcurrencyLimits = {
  /** Takes a slot; returns the limit reached if none is free. */
  readonly acquire: (holder: SlotHolder) => LimitReached | undefined;
  /** The query has ended. */
  readonly answered: () => void;
  /** The query has ended, and its answer is sent or its caller gone. */
  readonly release: (holder: SlotHolder) => void;
  readonly inFlight: () => number;
};

export function createConcurrencyLimits(places: number, placesOfOne: number): ConcurrencyLimits {
  const [accounts, keys] = [countByName(), countByName()];
  let sum = 0;
  const fullFor = ({ accountId, keyId, plan }: SlotHolder): LimitReached | undefined => {
    const ofAccount = Math.min(plan.atOnce, placesOfOne);
    if (accounts.of(accountId) >= ofAccount) return { of: "the account", places: ofAccount };
    if (keys.of(keyId) >= plan.keyAtOnce) return { of: "the key", places: plan.keyAtOnce };
    return sum < places ? undefined : { of: "all", places };
  };
  const change = ({ accountId, keyId }: SlotHolder, more: 1 | -1): void => {
    accounts.add(accountId, more);
    keys.add(keyId, more);
  };
  return {
    acquire: (holder) => {
      const full = fullFor(holder);
      if (full !== undefined) return full;
      sum += 1;
      change(holder, 1);
      return undefined;
    },
    answered: () => {
      sum -= 1;
    },
    release: (holder) => change(holder, -1),
    inFlight: () => sum,
  };
}

/** Counts by name; holds only names with a count above zero. */
function countByName() {
  const counts = new Map<string, number>();
  const of = (name: string): number => counts.get(name) ?? 0;
  return {
    of,
    add: (name: string, more: 1 | -1): void => {
      const next = of(name) + more;
      if (next > 0) counts.set(name, next);
      else counts.delete(name);
    },
  };
}
