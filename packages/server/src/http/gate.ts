/** Bounds how many asks are in flight, and how many of one account; beyond that the door sheds load instead of queueing. */
export type Gate = {
  /** Takes a place; says whose places are taken where there is none. */
  readonly enter: (account?: string) => undefined | "all" | "the account";
  readonly leave: (account?: string) => void;
  readonly inFlight: () => number;
};

export function createGate(places: number, placesOfOne: number = places): Gate {
  const taken = new Map<string, number>();
  let sum = 0;
  return {
    enter: (account = "") => {
      const own = taken.get(account) ?? 0;
      if (own >= placesOfOne) return "the account";
      if (sum >= places) return "all";
      taken.set(account, own + 1);
      sum += 1;
      return undefined;
    },
    leave: (account = "") => {
      const own = taken.get(account) ?? 0;
      if (own > 1) taken.set(account, own - 1);
      else taken.delete(account);
      sum -= 1;
    },
    inFlight: () => sum,
  };
}
