import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import { findGuests } from "./guest.ts";
import { RENEW_SHARE, SURE_SHARE } from "./lease.ts";

export type WatchOptions = {
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  /** Never stands still and never jumps, also while the process is stopped (ms). */
  readonly monotonicMs: () => number;
  readonly log: Logger;
  readonly signal: AbortSignal;
};

/** After so long a process without leases knows of a guest. */
export const WATCH_SECONDS = 2;
const SURE_MS = WATCH_SECONDS * 1000 * SURE_SHARE;
const LOOK_MS = WATCH_SECONDS * 1000 * RENEW_SHARE;

/**
 * For a process that has no leases, since it gathers alone: whether a guest may be there. Where it could not look for so
 * long that it may not know, there may be one.
 */
export function watchGuests({ db, clock, monotonicMs, log, signal }: WatchOptions): () => boolean {
  let found = true;
  let sureUntil = Number.NEGATIVE_INFINITY;
  const look = async (): Promise<void> => {
    const asked = monotonicMs();
    found = await findGuests(db);
    sureUntil = asked + SURE_MS;
  };
  void (async () => {
    while (!signal.aborted) {
      await look().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, "it could not be seen whether commands store rows beside us");
      });
      await clock.sleep(LOOK_MS, signal).catch(() => undefined);
    }
  })();
  return () => found || monotonicMs() >= sureUntil;
}
