import type { UseQueryResult, InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { useRead, type AsJson, usePages } from "./console-queries.ts";
import type { ParkedEntry, ParkedList } from "../../../server/src/ingest/control/list-parked.ts";

export interface StreamStatus {
  readonly name: string;
  readonly title: string;
  readonly state: string;
  readonly note: string | null;
  readonly reached: string | null;
  readonly since: string | null;
  readonly lag_seconds: number | null;
  readonly behind: boolean;
  readonly rows_per_second: number | null;
  readonly rows_stored: number;
  readonly errors: number | null;
  readonly last_error: string | null;
  readonly last_error_at: string | null;
  readonly open_gaps: number;
  readonly fillable_gaps: number;
  readonly fillable_gap_seconds: number;
  readonly unfillable_gaps: number;
  readonly unfillable_gap_seconds: number;
  readonly parked_pages: number;
}

export interface RouteBudget {
  /** Share of the documented rate limit in use after 429s, 0 to 1. */
  readonly factor: number;
  readonly tokens: number;
  readonly capacity: number;
}

export interface HostStatus {
  readonly waiting: number;
  readonly circuit?: "closed" | "half_open" | "open";
  readonly spending?: { readonly day: string; readonly spentUsd: string; readonly capUsd: string };
  readonly routes: Readonly<Record<string, RouteBudget>>;
}

export interface ServiceStatus {
  readonly running: boolean;
  /** The process that ingests and derives (host and process id), if several could. */
  readonly leader: { readonly process: string; readonly since: string } | null;
  readonly streams: readonly StreamStatus[];
  readonly hosts: Readonly<Record<string, HostStatus>>;
  /** Derivation → number of pending buckets. */
  readonly derivations: Readonly<Record<string, number>>;
}

const EVERY_MS = 5000;

export const useStreams = (): UseQueryResult<ServiceStatus> => useRead("/operator/streams", { everyMs: EVERY_MS });

export type ParkedPage = AsJson<ParkedEntry>;

type ParkedPages = AsJson<ParkedList>;

/** `state`: "waiting", "read" or "" for both. */
export const useParked = (state: string): UseInfiniteQueryResult<InfiniteData<ParkedPages>> =>
  usePages<ParkedPages>("/operator/parked", state === "" ? {} : { state }, "before", ({ pages }) => pages.at(-1)?.id);
