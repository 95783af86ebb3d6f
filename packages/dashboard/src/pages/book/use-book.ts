import type { Answer } from "@almanac/client";
import type { UseQueryResult } from "@tanstack/react-query";
import { useRows } from "../../read/dataset-queries.ts";

export type Venue = "polymarket" | "kalshi";

const BOOKS: Readonly<Record<Venue, { readonly agentId: number; readonly key: string }>> = {
  polymarket: { agentId: 572, key: "token_id" },
  kalshi: { agentId: 1102, key: "ticker" },
};
const EVERY_MS = 5000;

type Requested = {
  readonly venue: Venue;
  readonly instrument: string;
  /** Levels per side. */
  readonly depth: string;
  /** The time of the book; if absent the newest one, polled every five seconds. */
  readonly at?: string | undefined;
  /** False: no request is sent. */
  readonly isOn?: boolean;
};

/** One book: current, or at a past time. */
export function useBook({ venue, instrument, depth, at, isOn = true }: Requested): UseQueryResult<Answer<BookRow>> {
  const { agentId, key } = BOOKS[venue];
  const timestamp = at === undefined ? {} : { start_time: at, end_time: at };
  return useRows<BookRow>(
    agentId,
    { [key]: instrument, depth, ...timestamp },
    { limit: 1, isOn, ...(at === undefined ? { everyMs: EVERY_MS } : {}) },
  );
}

/** A row of dataset 572 or 1102. */
export type BookRow = {
  /** JSON: [{"size","price"}], price descending, the best last. */
  readonly asks: string;
  /** JSON: price ascending, the best last. */
  readonly bids: string;
  readonly timestamp: string;
  readonly condition_id?: string | null;
  readonly best_bid: string | null;
  readonly best_ask: string | null;
  readonly mid: string | null;
  readonly spread: string | null;
  readonly bid_depth_usd: string;
  readonly ask_depth_usd: string;
  readonly sequence: number;
  readonly micro_price: string | null;
  /** 1 is all bids, −1 all asks; null for an empty book. */
  readonly imbalance: string | null;
};
