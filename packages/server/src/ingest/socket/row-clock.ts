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
/** Rows further from their arrival than this are old states, not late; whole states are told at any time. */
const MOST_MS = 60_000;

/** What was seen counts for one to two of these: a venue that was late once is not late for ever. */
const WINDOW_MS = 60_000;

type Seen = { early: number; late: number };

export function createRowClock(): RowClock {
  let before: Seen | undefined;
  let current: Seen | undefined;
  let window = 0;
  const both = (): Seen[] => [before, current].filter((seen) => seen !== undefined);
  return {
    see: (all, receivedMs) => {
      const row = all[0]?.rows[0];
      const moment = row?.["ts"];
      const apart = (typeof moment === "string" ? Date.parse(moment) : Number.NaN) - receivedMs;
      if (!(Math.abs(apart) <= MOST_MS) || row?.["kind"] === "snapshot") return;
      const at = Math.floor(receivedMs / WINDOW_MS);
      if (at > window) [before, current, window] = [at === window + 1 ? current : undefined, undefined, at];
      current ??= { early: 0, late: 0 };
      current.early = Math.min(current.early, apart);
      current.late = Math.max(current.late, apart);
    },
    earliest: (receivedMs) => {
      const seen = both();
      return receivedMs + (seen.length === 0 ? -UNSEEN_EARLY_MS : Math.min(...seen.map(({ early }) => early)));
    },
    latest: (receivedMs) => receivedMs + Math.max(0, ...both().map(({ late }) => late)),
  };
}
