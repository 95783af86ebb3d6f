import type { Answer } from "@almanac/client";
import type { UseQueryResult } from "@tanstack/react-query";
import { useRows } from "../../read/use-rows.ts";
import type { BookRow } from "./book-row.ts";

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
