/** From when on stored rows were not announced one by one: they are looked up in the store afterwards. */
export type Overflow = {
  readonly note: (storedFrom: number) => void;
  /** The earliest such moment (Unix ms); undefined when nothing is left to look up. */
  readonly oldest: () => number | undefined;
  /** Has everything since then worked out, where there is something. */
  readonly settle: (work: (since: number) => Promise<void>) => Promise<void>;
};

export function createOverflow(): Overflow {
  let noted: number | undefined;
  let settling: number | undefined;
  return {
    note: (storedFrom) => {
      noted = Math.min(noted ?? storedFrom, storedFrom);
    },
    oldest: () => least(settling, noted),
    settle: async (work) => {
      if (noted === undefined) return;
      settling = noted;
      noted = undefined;
      try {
        await work(settling);
      } catch (error) {
        noted = Math.min(settling, noted ?? settling);
        throw error;
      } finally {
        settling = undefined;
      }
    },
  };
}

const least = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
