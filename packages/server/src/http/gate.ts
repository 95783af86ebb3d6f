/** The account and key of a request, and how many concurrent requests each may have. */
export type Entrant = {
  readonly accountId: string;
  readonly keyId: string;
  readonly plan: { readonly atOnce: number; readonly keyAtOnce: number };
};

/** The limit that was reached, and its number of slots. */
export type Full = { readonly of: "all" | "the account" | "the key"; readonly places: number };

/**
 * Bounds the queries in flight, in all, per account and per key; beyond that the server sheds load instead of queueing.
 * An answer occupies the slots of its account and key until it is sent, so that a caller that does not read its answers
 * cannot fill the memory with them, but not the one of all, which would let it stop the others.
 */
export type Gate = {
  /** Takes a slot; returns the limit reached if none is free. */
  readonly enter: (entrant: Entrant) => Full | undefined;
  /** The query has ended. */
  readonly answered: () => void;
  /** The query has ended, and its answer is sent or its caller gone. */
  readonly leave: (entrant: Entrant) => void;
  readonly inFlight: () => number;
};

export function createGate(places: number, placesOfOne: number): Gate {
  const [accounts, keys] = [countByName(), countByName()];
  let sum = 0;
  const fullFor = ({ accountId, keyId, plan }: Entrant): Full | undefined => {
    const ofAccount = Math.min(plan.atOnce, placesOfOne);
    if (accounts.of(accountId) >= ofAccount) return { of: "the account", places: ofAccount };
    if (keys.of(keyId) >= plan.keyAtOnce) return { of: "the key", places: plan.keyAtOnce };
    return sum < places ? undefined : { of: "all", places };
  };
  const change = ({ accountId, keyId }: Entrant, more: 1 | -1): void => {
    accounts.add(accountId, more);
    keys.add(keyId, more);
  };
  return {
    enter: (entrant) => {
      const full = fullFor(entrant);
      if (full !== undefined) return full;
      sum += 1;
      change(entrant, 1);
      return undefined;
    },
    answered: () => {
      sum -= 1;
    },
    leave: (entrant) => change(entrant, -1),
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
