import type { Allowance, Claimant } from "../../access/allowances.ts";
import type { Usage } from "../../access/access.ts";
import type { Config } from "../../config.ts";
import type { ForwardTarget } from "../../http/forward-request.ts";
import type { ClosedFor } from "../../http/http-metrics.ts";
import type { CacheOutcome } from "../../query/query-cache.ts";
import type { NoteCompared } from "../../query/served/compare-sampled.ts";
import type { Address } from "../../store/connection.ts";
import type { IndexStatus } from "../open-indexes.ts";

/** The owner's tables and indexes at a point in time. */
export type OwnerStatus = {
  /** Unix ms; later than the clock if rows were stored with later stamps. */
  readonly at: number;
  /** How far the venues' clock is ahead of the machine's. */
  readonly venueAheadMs: number;
  /** Address of the embedded engine; absent if the settings name a server. */
  readonly address: Address | undefined;
  /** Tables stored into since the last status, and whether the rows are unknown. */
  readonly changed: readonly { readonly table: string; readonly isUnknown: boolean }[];
  readonly indexes: ReadonlyMap<string, IndexStatus>;
};

/** Everything a worker needs to start. */
export type Opening = {
  readonly config: Config;
  /** From 1; the replacement of an ended worker reuses its number. */
  readonly number: number;
  readonly forwardTo: ForwardTarget;
  readonly status: OwnerStatus;
};

/** A worker's counts since its last report. */
export type Report = {
  readonly usage: Usage[];
  readonly requests: { dataset: string; status: number; seconds: number; bytes: number }[];
  readonly answers: CacheOutcome[];
  readonly pages: ("index" | "engine")[];
  readonly compared: Parameters<NoteCompared>[];
  /** Tables whose index or list could not be read; `damage` if its file differs from what was written. */
  readonly unread: { readonly table: string; readonly damage: string | undefined }[];
  /** Connections closed to keep a bound. */
  readonly closed: ClosedFor[];
  /** One for each delayed refusal. */
  readonly held: true[];
  readonly inFlight: number;
};

/** A worker's requests to its owner: rows of the control records, and units of an account's allowance. */
export type WorkerRequest =
  | { readonly of: "records"; readonly text: string; readonly parameters: readonly unknown[] }
  | { readonly of: "take"; readonly claimant: Claimant; readonly units: number; readonly held: number }
  | { readonly of: "peek"; readonly claimant: Claimant };
export type Reply = Allowance | readonly Record<string, unknown>[];

export type FromWorker =
  | { readonly kind: "listening"; readonly baseUrl: string }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "request"; readonly id: number; readonly request: WorkerRequest }
  | { readonly kind: "report"; readonly report: Report };

export type ToWorker =
  | { readonly kind: "open"; readonly opening: Opening }
  | { readonly kind: "status"; readonly status: OwnerStatus }
  /** A key, account or plan was changed. */
  | { readonly kind: "forget" }
  | { readonly kind: "reply"; readonly id: number; readonly reply: Reply }
  /** `isAway`: the control records are unavailable, which is no fault of the request's. */
  | { readonly kind: "error"; readonly id: number; readonly problem: string; readonly isAway: boolean }
  | { readonly kind: "stop" };
