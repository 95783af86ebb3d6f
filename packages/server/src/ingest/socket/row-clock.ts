import type { TableRows } from "../../definition/connector.ts";
import type { InsertRow } from "../../definition/table.ts";

/**
 * Tracks the difference between rows' times, set by the venue, and their arrival: latency and clock offset. Gaps and a
 * stream's watermark are in row time.
 */
export type RowClock = {
  /**
   * Returns the time (Unix ms) of rows of a frame or a fetched state if it cannot be right, and how it is wrong.
   * `venueMs`: the venue's time of the first row, if the row may carry another.
   */
  readonly see: (rows: readonly TableRows[], receivedMs: number, venueMs?: number) => WrongTimestamp | undefined;
  /** The earliest time of a row that arrives after `receivedMs`. */
  readonly earliest: (receivedMs: number) => number;
  /** The latest time of a row that arrived before `receivedMs`. */
  readonly latest: (receivedMs: number) => number;
};

/** Further ahead of its arrival than usual, or earlier than rows received before on the same connection. */
export type WrongTimestamp = { readonly is: "ahead" | "back"; readonly timestamp: number };

/** How far rows of a stream, over all its connections, are ahead of their arrival. */
export type VenueLead = {
  /** Usual lead, ms; 0 before any is seen. */
  usualMs: number;
  /** The latest time (Unix ms) of a row that was further ahead, until it is past and states are fetched again. */
  aheadTo?: number | undefined;
  /** The same without rows more than `MAX_AHEAD_MS` ahead, which are waited for only so long: the end of their gap. */
  waitTo?: number | undefined;
  /** The latest `waitTo` so far. */
  latestAheadMs?: number;
  /**
   * Set from when times went back until states are fetched again; `isOver` once rows are as close to their arrival as
   * before.
   */
  back?: { readonly apartMs: number; isOver: boolean } | undefined;
  /** How far the last in-order row lagged its arrival (ms, 0 or less); absent before any is seen. */
  lagMs?: number;
};

/** Assumed before the first row is seen. */
const UNSEEN_EARLY_MS = 1000;
/** Rows further from their arrival than this are old states, not late; full states are sent at any time. */
const MAX_MS = 60_000;
/** Synchronized clocks do not deviate by this much more than before. */
const AHEAD_MS = 2000;
/** Rows stamped further ahead are not waited for. */
export const MAX_AHEAD_MS = 2 * 3_600_000;
/** Rows of one connection arrive in time order, within this tolerance. */
const BACK_MS = 2000;
/** The first change on a connection is at most this much older than its opening, even if a process was paused. */
const BEFORE_OPENED_MS = 20_000;
/** A venue's clock that differs for this long is accepted. */
const SETTLED_MS = 600_000;

/** Observations count for one to two of these: a venue that was late once is not late forever. */
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
  const latest = (receivedMs: number): number =>
    // Until a change is seen here, rows are assumed to be as far ahead as on the connection before.
    receivedMs + (current === undefined ? Math.max(0, lead.usualMs) : Math.max(0, ...both().map(({ late }) => late)));
  const isAhead = (apart: number, receivedMs: number): boolean => {
    if (!(apart > lead.usualMs + AHEAD_MS)) return false;
    aheadSince ??= receivedMs;
    return receivedMs - aheadSince < SETTLED_MS;
  };
  return {
    see: (all, receivedMs, venueMs) => {
      const row = all[0]?.rows[0];
      const timestamp = typeof row?.["ts"] === "string" ? Date.parse(row["ts"]) : Number.NaN;
      const apart = timestamp - receivedMs;
      if (isAhead(apart, receivedMs)) return { is: "ahead", timestamp };
      openedMs ??= receivedMs;
      if (Number.isNaN(apart) || row?.["kind"] === "snapshot") return undefined;
      if (row?.["kind"] !== undefined && isBack(venueMs ?? timestamp, receivedMs, openedMs))
        return { is: "back", timestamp };
      if (apart < -MAX_MS) return undefined;
      aheadSince = undefined;
      if (apart > MAX_MS) return undefined;
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

/** Records that rows were stamped ahead, up to `timestamp` (Unix ms). */
export function noteAhead(lead: VenueLead, timestamp: number, nowMs: number): void {
  const latest = nowMs + MAX_AHEAD_MS;
  lead.aheadTo = Math.max(lead.aheadTo ?? timestamp, timestamp);
  lead.waitTo = timestamp > latest ? (lead.waitTo ?? latest) : Math.max(lead.waitTo ?? timestamp, timestamp);
  lead.latestAheadMs = lead.waitTo;
}

/**
 * A book unchanged since rows were stamped ahead carries the time of its last change, which is earlier than theirs:
 * once that time is past it is stored right after them, where it is also valid.
 */
export function behindAhead(rows: readonly TableRows[], lead: VenueLead, receivedMs: number): readonly TableRows[] {
  const { latestAheadMs: ahead } = lead;
  if (ahead === undefined || receivedMs <= ahead) return rows;
  const ts = new Date(ahead + 1).toISOString();
  const isBefore = (row: InsertRow): boolean => row["kind"] === "snapshot" && Date.parse(String(row["ts"])) <= ahead;
  return rows.map((of) => ({ ...of, rows: of.rows.map((row) => (isBefore(row) ? { ...row, ts } : row)) }));
}

/**
 * Checks whether a change on a connection is earlier than previous ones, or much earlier than the connection's opening,
 * by more than clocks are known to differ: the venue's clock was set back.
 */
function createBackLook(lead: VenueLead): (timestamp: number, receivedMs: number, openedMs: number) => boolean {
  let newest: { readonly timestamp: number; readonly apartMs: number } | undefined;
  let backSince: number | undefined;
  return (timestamp, receivedMs, openedMs) => {
    const apartMs = timestamp - receivedMs;
    const isBack = lead.back
      ? apartMs < lead.back.apartMs - BACK_MS
      : timestamp < (newest ? newest.timestamp - BACK_MS : openedMs + (lead.lagMs ?? 0) - BEFORE_OPENED_MS);
    if (isBack && receivedMs - (backSince ?? receivedMs) < SETTLED_MS) {
      backSince ??= receivedMs;
      lead.back ??= { apartMs: newest?.apartMs ?? lead.lagMs ?? 0, isOver: false };
      return true;
    }
    // Another connection may still bring rows stamped before.
    if (lead.back && (backSince !== undefined || newest === undefined)) lead.back.isOver = true;
    if (isBack || newest === undefined || timestamp > newest.timestamp) newest = { timestamp, apartMs };
    backSince = undefined;
    lead.lagMs = Math.min(0, apartMs);
    return false;
  };
}
