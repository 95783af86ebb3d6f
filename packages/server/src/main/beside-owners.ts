import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { systemClock } from "../ingest/clock.ts";
import { becomeGuest } from "../ingest/leases/guest.ts";
import { WATCH_SECONDS } from "../ingest/leases/watch-guests.ts";
import type { Store } from "../store/store.ts";
import type { Engines } from "./open-engines.ts";

type How = { readonly log: Logger; readonly signal: AbortSignal };

export type Beside = {
  readonly store: Store;
  /** Waits until the command may write. */
  readonly sure?: () => Promise<void>;
};

/** Has a command store rows that processes which gather may be storing too. */
export async function besideOwners<T>(
  { databaseUrl, leaseSeconds }: Pick<Config, "databaseUrl" | "leaseSeconds">,
  { store, records }: Pick<Engines, "store" | "records">,
  { log, signal }: How,
  work: (beside: Beside) => Promise<T>,
): Promise<T> {
  const guest = await becomeGuest({
    db: records.db,
    id: randomUUID(),
    label: `${hostname()}:${process.pid}`,
    ...(databaseUrl === undefined
      ? { seconds: WATCH_SECONDS, aloneSeconds: WATCH_SECONDS }
      : { seconds: leaseSeconds }),
    clock: systemClock,
    monotonicMs: () => performance.now(),
    log,
    signal,
  });
  const own = store.under(guest.fence);
  try {
    return await work({ store: own, sure: guest.sure });
  } finally {
    await own.close();
    await guest.leave();
  }
}
