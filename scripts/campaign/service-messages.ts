import type { IngestStatus } from "../../packages/server/src/ingest/status/read-status.ts";
import type { ClockState } from "./machine-clock.ts";

/** What a service is started with. */
export type Orders = {
  readonly clock: ClockState;
  /** The past since then is gathered beside the live streams, at every start. */
  readonly pastFromMs: number;
  readonly needsKey: boolean;
};

/** What the run tells its service. */
export type ToService =
  | { readonly kind: "clock"; readonly state: ClockState }
  | { readonly kind: "status"; readonly id: number }
  | { readonly kind: "stop" };

/** What the service tells its run. */
export type FromService =
  | { readonly kind: "ready"; readonly baseUrl: string; readonly key?: string }
  | { readonly kind: "status"; readonly id: number; readonly status: IngestStatus; readonly isPastGathered: boolean };
