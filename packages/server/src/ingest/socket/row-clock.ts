import type { TableRows } from "../../definition/connector.ts";

/**
 * How rows' moments, told by the venue, lie to the moments at which they arrived: latency and the difference of clocks.
 * Gaps and the moment up to which a stream is complete are in rows' moments.
 */
export type RowClock = {
  readonly see: (rows: readonly TableRows[], receivedMs: number) => void;
  /** The earliest moment a row may have that arrives after `receivedMs`. */
  readonly earliest: (receivedMs: number) => number;
  /** The latest moment a row may have that arrived before `receivedMs`. */
  readonly latest: (receivedMs: number) => number;
};

/** Before the first row is seen. */
const UNSEEN_EARLY_MS = 1000;
/** Rows further from their arrival than this are old states, not late. */
const MOST_MS = 60_000;

export function createRowClock(): RowClock {
  let early = 0;
  let late = 0;
  let isSeen = false;
  return {
    see: (all, receivedMs) => {
      const moment = all[0]?.rows[0]?.["ts"];
      const apart = (typeof moment === "string" ? Date.parse(moment) : Number.NaN) - receivedMs;
      if (!(Math.abs(apart) <= MOST_MS)) return;
      isSeen = true;
      early = Math.min(early, apart);
      late = Math.max(late, apart);
    },
    earliest: (receivedMs) => receivedMs + (isSeen ? early : -UNSEEN_EARLY_MS),
    latest: (receivedMs) => receivedMs + late,
  };
}
