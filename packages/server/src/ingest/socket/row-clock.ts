import type { TableRows } from "../../definition/connector.ts";
import type { InsertRow } from "../../definition/table.ts";

/**
 * How rows' moments, told by the venue, lie to the moments at which they arrived: latency and the difference of clocks.
 * Gaps and the moment up to which a stream is complete are in rows' moments.
 */
export type RowClock = {
  /**
   * The moment (Unix ms) of rows of a frame or a fetched state where it cannot be right, and how. `venueMs`: what the
   * venue gave the first, where the row may bear another.
   */
  readonly see: (rows: readonly TableRows[], receivedMs: number, venueMs?: number) => WrongMoment | undefined;
  /** The earliest moment a row may have that arrives after `receivedMs`. */
  readonly earliest: (receivedMs: number) => number;
  /** The latest moment a row may have that arrived before `receivedMs`. */
  readonly latest: (receivedMs: number) => number;
};

/** Further ahead of its arrival than usual, or before the moments of rows that came first on the same connection. */
export type WrongMoment = { readonly is: "ahead" | "back"; readonly moment: number };

/** How far rows of a stream, of all its connections, are ahead of their arrival. */
export type VenueLead = {
  /** Usually, ms; 0 before any is seen. */
  usualMs: number;
  /** The latest moment (Unix ms) of a row that was further ahead, until that is past and states were had anew. */
  aheadTo?: number | undefined;
  /** The latest moment (Unix ms) of all rows that were further ahead. */
  latestAheadMs?: number;
  /** Set from when moments went back until states were had anew; `isOver` once rows are as near to their arrival as before. */
  back?: { readonly apartMs: number; isOver: boolean } | undefined;
  /** How far the last row in its order lay behind its arrival (ms, 0 or less); absent before any is seen. */
  lagMs?: number;
};

/** Before the first row is seen. */
const UNSEEN_EARLY_MS = 1000;
/** Rows further from their arrival than this are old states, not late; whole states are told at any time. */
const MOST_MS = 60_000;
/** Clocks that are kept right do not differ by so much more than before. */
const AHEAD_MS = 2000;
/** Rows of one connection come in the order of their moments, but for this. */
const BACK_MS = 2000;
/** The first change on a connection is not from so long before it was opened, also where a process was held meanwhile. */
const BEFORE_OPENED_MS = 20_000;
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
  let openedMs: number | undefined;
  const isBack = createBackLook(lead);
  const both = (): Seen[] => [before, current].filter((seen) => seen !== undefined);
  const latest = (receivedMs: number): number => receivedMs + Math.max(0, ...both().map(({ late }) => late));
  const isAhead = (apart: number, receivedMs: number): boolean => {
    if (!(apart > lead.usualMs + AHEAD_MS)) return false;
    aheadSince ??= receivedMs;
    return receivedMs - aheadSince < SETTLED_MS;
  };
  return {
    see: (all, receivedMs, venueMs) => {
      const row = all[0]?.rows[0];
      const moment = typeof row?.["ts"] === "string" ? Date.parse(row["ts"]) : Number.NaN;
      const apart = moment - receivedMs;
      if (isAhead(apart, receivedMs)) return { is: "ahead", moment };
      openedMs ??= receivedMs;
      if (Number.isNaN(apart) || row?.["kind"] === "snapshot") return undefined;
      if (row?.["kind"] !== undefined && isBack(venueMs ?? moment, receivedMs, openedMs)) return { is: "back", moment };
      if (apart < -MOST_MS) return undefined;
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

/**
 * A book that did not change since rows were stamped ahead bears the moment of its last change, which lies before them:
 * once that time is past it is stored right behind them, where it holds as well.
 */
export function behindAhead(rows: readonly TableRows[], lead: VenueLead, receivedMs: number): readonly TableRows[] {
  const { latestAheadMs: ahead } = lead;
  if (ahead === undefined || receivedMs <= ahead) return rows;
  const ts = new Date(ahead + 1).toISOString();
  const isBefore = (row: InsertRow): boolean => row["kind"] === "snapshot" && Date.parse(String(row["ts"])) <= ahead;
  return rows.map((of) => ({ ...of, rows: of.rows.map((row) => (isBefore(row) ? { ...row, ts } : row)) }));
}

/**
 * Whether a change on a connection lies before those that came first on it, or long before it was opened, by more than
 * clocks are known to differ: the venue's clock was set back.
 */
function createBackLook(lead: VenueLead): (moment: number, receivedMs: number, openedMs: number) => boolean {
  let newest: { readonly moment: number; readonly apartMs: number } | undefined;
  let backSince: number | undefined;
  return (moment, receivedMs, openedMs) => {
    const apartMs = moment - receivedMs;
    const isBack = lead.back
      ? apartMs < lead.back.apartMs - BACK_MS
      : moment < (newest ? newest.moment - BACK_MS : openedMs + (lead.lagMs ?? 0) - BEFORE_OPENED_MS);
    if (isBack && receivedMs - (backSince ?? receivedMs) < SETTLED_MS) {
      backSince ??= receivedMs;
      lead.back ??= { apartMs: newest?.apartMs ?? lead.lagMs ?? 0, isOver: false };
      return true;
    }
    // Another connection may still bring what was stamped before.
    if (lead.back && (backSince !== undefined || newest === undefined)) lead.back.isOver = true;
    if (isBack || newest === undefined || moment > newest.moment) newest = { moment, apartMs };
    backSince = undefined;
    lead.lagMs = Math.min(0, apartMs);
    return false;
  };
}
