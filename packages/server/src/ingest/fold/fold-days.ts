import type { Day } from "../../definition/fold.ts";
import { dayAfter, dayOf } from "../../definition/day-of.ts";

/** A day is closed for all keys this long after its end, when its last rows have arrived. */
const CLOSE_AFTER_MS = 600_000;

/** Tracks which days are over, and up to which of them all keys have rows. */
export type FoldDays = {
  /** The last day that is over. */
  readonly over: () => Day;
  /** The last day for which all keys have rows; `over` until that is known. */
  readonly closed: () => Day;
  /** Rows of the days up to this one are being made for all keys: a key folded meanwhile gets them too. */
  readonly closing: (day: Day) => void;
  /** Marks the rows of the days up to this one as made. */
  readonly close: (day: Day) => void;
  /** Whether a day is over whose rows are still to be made. */
  readonly isOneOver: () => boolean;
};

export function createFoldDays(venueNow: () => number): FoldDays {
  let closed: Day | undefined;
  let closing: Day | undefined;
  const over = (): Day => dayAfter(dayOf(Math.floor((venueNow() - CLOSE_AFTER_MS) / 1000)), -1);
  return {
    over,
    closed: () => closing ?? closed ?? over(),
    closing: (day) => {
      closing = day;
    },
    close: (day) => {
      closed = day;
      closing = undefined;
    },
    isOneOver: () => closed !== undefined && closed < over(),
  };
}
