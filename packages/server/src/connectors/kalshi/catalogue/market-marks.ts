import type { Cursor } from "../../../definition/connector.ts";
import { cursorNumber } from "../../../definition/cursor-number.ts";
import type { Filters } from "../wire/walk-pages.ts";
import { secondsOf } from "../wire/values.ts";
import type { MarketReply } from "./replies.ts";
import type { MarketsStep } from "./walk-markets.ts";

/** Watermarks by the venue's clock: the time of the last row of each kind, Unix seconds; 0 before the first. */
export type MarketMarks = {
  created_ts: number;
  updated_ts: number;
  closed_ts: number;
  settled_ts: number;
  full_at: number;
};

/** The CDN may serve a reply 15 s old; the rest allows for clock differences and late rows. */
const OVERLAP_SECONDS = 90;
/** A closed market is later determined, disputed, amended; nine in ten are settled within the hour. */
const CLOSED_OVERLAP_SECONDS = 3600;

/** Each watermark advances only with the walk that filters by it, which may lack rows that another walk shows. */
const FOLLOWED = [
  { mark: "created_ts", requestedBy: "min_created_ts", timestamp: "created_time" },
  { mark: "updated_ts", requestedBy: "min_updated_ts", timestamp: "updated_time" },
  { mark: "closed_ts", requestedBy: "min_close_ts", timestamp: "close_time" },
  { mark: "settled_ts", requestedBy: "min_settled_ts", timestamp: "settlement_ts" },
] as const;

type Timestamp = "created_time" | "updated_time" | "close_time" | "settlement_ts";

/** The watermarks of the market walks, as stored in their cursor. */
export const marketMarks = {
  of(cursor: Cursor | undefined): MarketMarks {
    const mark = (field: keyof MarketMarks) => cursorNumber(cursor, field) ?? 0;
    return {
      created_ts: mark("created_ts"),
      updated_ts: mark("updated_ts"),
      closed_ts: mark("closed_ts"),
      settled_ts: mark("settled_ts"),
      full_at: mark("full_at"),
    };
  },

  changesSince(marks: MarketMarks): Filters[] {
    return [
      { min_created_ts: Math.max(0, marks.created_ts - OVERLAP_SECONDS) },
      { min_updated_ts: marks.updated_ts - OVERLAP_SECONDS },
      { status: "closed", min_close_ts: Math.max(0, marks.closed_ts - CLOSED_OVERLAP_SECONDS) },
      { status: "settled", min_settled_ts: marketMarks.settledFrom(marks) },
    ];
  },

  /** The time from which settled markets are requested. */
  settledFrom: (marks: MarketMarks): number => marks.settled_ts - OVERLAP_SECONDS,

  /** No watermark passes the start of the cycle: rows that appear during a long walk may be on a page already read. */
  advance(marks: MarketMarks, { page, filters }: MarketsStep, startedAt: number): void {
    for (const { mark, requestedBy, timestamp } of FOLLOWED) {
      if (filters[requestedBy] === undefined) continue;
      marks[mark] = Math.max(marks[mark], Math.min(latestOf(page, [timestamp]), startedAt));
    }
  },

  /** After the first walk: later cycles start from the venue's latest time on its first pages. */
  start(marks: MarketMarks, at: number): void {
    for (const { mark } of FOLLOWED) if (marks[mark] === 0) marks[mark] = at;
  },

  /** The latest creation or update time on a page, Unix seconds; 0 if absent. */
  shownOn: (page: readonly MarketReply[]): number => latestOf(page, ["created_time", "updated_time"]),
} as const;

function latestOf(page: readonly MarketReply[], fields: readonly Timestamp[]): number {
  const timestamps = page.flatMap((market) => fields.map((field) => market[field]));
  return timestamps.reduce((latest, timestamp) => (timestamp ? Math.max(latest, secondsOf(timestamp)) : latest), 0);
}
