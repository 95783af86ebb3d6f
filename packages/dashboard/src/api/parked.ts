import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { usePages } from "./use-pages.ts";

export interface ParkedPage {
  readonly id: number;
  readonly stream: string;
  readonly host: string;
  readonly route: string;
  readonly path: string;
  readonly problem: string;
  readonly field: string | null;
  readonly sample: string | null;
  /** Rows of the page that were not read; null where the whole page was not. */
  readonly refused_rows: number | null;
  readonly times: number;
  readonly body_bytes: number;
  readonly parked_at: string;
  readonly last_at: string;
  readonly tried_at: string | null;
  /** Read again and stored. */
  readonly replayed_at: string | null;
  /** The body was let go to keep within bounds. */
  readonly dropped_at: string | null;
}

interface ParkedPages {
  readonly pages: readonly ParkedPage[];
  readonly has_more: boolean;
}

/** `state`: "waiting", "read" or "" for both. */
export const useParked = (state: string): UseInfiniteQueryResult<InfiniteData<ParkedPages>> =>
  usePages<ParkedPages>("/operator/parked", state === "" ? {} : { state }, "before", ({ pages }) => pages.at(-1)?.id);
