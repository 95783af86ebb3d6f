import type { IngestStatus } from "../../packages/server/src/ingest/status/read-status.ts";
import type { ClockState } from "./machine-clock.ts";

/** Start parameters of a service process. */
export type Orders = {
  readonly clock: ClockState;
  /** Backfill since then runs alongside the live streams, at every start. */
  readonly pastFromMs: number;
  readonly needsKey: boolean;
};

/** Messages from the run to its service. */
export type ToService =
  | { readonly kind: "clock"; readonly state: ClockState }
  | { readonly kind: "status"; readonly id: number }
  | { readonly kind: "stop" };

/** Messages from the service to its run. */
export type FromService =
  | { readonly kind: "ready"; readonly baseUrl: string; readonly key?: string }
  | { readonly kind: "status"; readonly id: number; readonly status: IngestStatus; readonly isPastGathered: boolean };
