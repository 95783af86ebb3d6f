import type { Day } from "../../definition/fold.ts";
import { dayAfter, dayOf } from "../../definition/day-of.ts";

/** A day is worked out for everyone so long after its end: its last rows have come by then. */
const CLOSE_AFTER_MS = 600_000;

/** Which days are over, and up to which of them everyone has rows. */
export type FoldDays = {
  /** The last day that is over. */
  readonly over: () => Day;
  /** The last day that everyone has rows of; `over` before that is known. */
  readonly closed: () => Day;
  /** The rows of the days up to this one are being made for everyone: whoever is worked out meanwhile gets his too. */
  readonly closing: (day: Day) => void;
  /** They are made. */
  readonly close: (day: Day) => void;
  /** Whether the rows of a day that is over are still to be made. */
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
