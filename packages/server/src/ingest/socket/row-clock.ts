import type { TableRows } from "../../definition/connector.ts";

/**
 * How rows' moments, told by the venue, lie to the moments at which they arrived: latency and the difference of clocks.
 * Gaps and the moment up to which a stream is complete are in rows' moments.
 */
export type RowClock = {
  /** The moment (Unix ms) of a frame's rows where it is further ahead of their arrival than usual. */
  readonly see: (rows: readonly TableRows[], receivedMs: number) => number | undefined;
  /** The earliest moment a row may have that arrives after `receivedMs`. */
  readonly earliest: (receivedMs: number) => number;
  /** The latest moment a row may have that arrived before `receivedMs`. */
  readonly latest: (receivedMs: number) => number;
};

/** How far rows of a stream, of all its connections, are ahead of their arrival. */
export type VenueLead = {
  /** Usually, ms; 0 before any is seen. */
  usualMs: number;
  /** The latest moment (Unix ms) of a row that was further ahead, until that is past and states were had anew. */
  aheadTo?: number | undefined;
};

/** Before the first row is seen. */
const UNSEEN_EARLY_MS = 1000;
/** Rows further from their arrival than this are old states, not late; whole states are told at any time. */
const MOST_MS = 60_000;
/** Clocks that are kept right do not differ by so much more than before. */
const AHEAD_MS = 2000;
/** A venue's clock that differs for so long is what it is from now on. */
const SETTLED_MS = 600_000;

/** What was seen counts for one to two of these: a venue that was late once is not late for ever. */
const WINDOW_MS = 60_000;

type Seen = { early: number; late: number };

export function createRowClock(lead: VenueLead): RowClock {
  let before: Seen | undefined;
  let current: Seen | undefined;
  let window = 0;
  let aheadSince: number | undefined;
  const both = (): Seen[] => [before, current].filter((seen) => seen !== undefined);
  const latest = (receivedMs: number): number => receivedMs + Math.max(0, ...both().map(({ late }) => late));
  const isAhead = (apart: number, receivedMs: number): boolean => {
    if (!(apart > lead.usualMs + AHEAD_MS)) return false;
    aheadSince ??= receivedMs;
    return receivedMs - aheadSince < SETTLED_MS;
  };
  return {
    see: (all, receivedMs) => {
      const row = all[0]?.rows[0];
      const moment = typeof row?.["ts"] === "string" ? Date.parse(row["ts"]) : Number.NaN;
      const apart = moment - receivedMs;
      if (isAhead(apart, receivedMs)) return moment;
      if (!(apart >= -MOST_MS) || row?.["kind"] === "snapshot") return undefined;
      aheadSince = undefined;
      if (apart > MOST_MS) return undefined;
      const at = Math.floor(receivedMs / WINDOW_MS);
      if (at > window) [before, current, window] = [at === window + 1 ? current : undefined, undefined, at];
      current ??= { early: 0, late: 0 };
      current.early = Math.min(current.early, apart);
      current.late = Math.max(current.late, apart);
      lead.usualMs = latest(0);
      return undefined;
    },
    earliest: (receivedMs) => {
      const seen = both();
      return receivedMs + (seen.length === 0 ? -UNSEEN_EARLY_MS : Math.min(...seen.map(({ early }) => early)));
    },
    latest,
  };
}
