/** Bounds how many asks are in flight; beyond that the door sheds load instead of queueing. */
export type Gate = {
  /** Takes a place; false when there is none. */
  readonly enter: () => boolean;
  readonly leave: () => void;
  readonly inFlight: () => number;
};

export function createGate(places: number): Gate {
  let taken = 0;
  return {
    enter: () => {
      if (taken >= places) return false;
      taken += 1;
      return true;
    },
    leave: () => {
      taken -= 1;
    },
    inFlight: () => taken,
  };
}
