/** From when on stored rows were not announced one by one: they are looked up in the store afterwards. */
export type Overflow = {
  readonly note: (storedFrom: number) => void;
  /**
   * Has what other processes stored since a moment looked up; `next` is from when it is looked up the next time,
   * undefined where nobody else stores any more.
   */
  readonly lookUp: (from: number, next: number | undefined) => void;
  /** The earliest such moment (Unix ms); undefined when nothing is left to look up. */
  readonly oldest: () => number | undefined;
  /** The same, or from when others may have stored what was not looked up yet. */
  readonly unheard: () => number | undefined;
  /** Has everything since then worked out, where there is something. */
  readonly settle: (work: (since: number) => Promise<void>) => Promise<void>;
};

export function createOverflow(): Overflow {
  let noted: number | undefined;
  let settling: number | undefined;
  let nextLook: number | undefined;
  const note = (storedFrom: number): void => {
    noted = Math.min(noted ?? storedFrom, storedFrom);
  };
  const oldest = (): number | undefined => least(settling, noted);
  return {
    note,
    oldest,
    lookUp: (from, next) => {
      note(from);
      nextLook = next;
    },
    unheard: () => least(oldest(), nextLook),
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
