import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema, StoredChanges } from "../../records/schema.ts";
import type { Left } from "../../store/change-counts.ts";
import { type Clock, withinTime } from "../clock.ts";
import { readLog } from "./log-record.ts";

/** Receives the changes of tables. */
export type ChangeListener = {
  readonly changed: (table: string, left: Left) => void;
  /** Log entries are missing: any table may have changed. */
  readonly missed: () => void;
};

/** Changes stored by any process, as read from the change log. */
export type ChangeFeed = {
  /** Starts delivery with the changes since the feed was opened. */
  readonly begin: (listener: ChangeListener) => void;
  /** Whether everything stored up to `CURRENT_MS` ago was delivered. */
  readonly isCurrent: () => boolean;
  /** Milliseconds for which changes may be missing; infinite before the first read, and if no leader publishes. */
  readonly behindMs: () => number;
};

export type FollowOptions = {
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  /** Monotonic clock (ms) that never pauses or jumps. */
  readonly monotonicMs?: () => number;
  readonly log: Pick<Logger, "warn">;
  /** Stops polling. */
  readonly signal: AbortSignal;
};

const EVERY_MS = 200;
const MAX_MS = 5_000;
/** A feed that lags further behind (ms) is not current. */
export const CURRENT_MS = 1_000;

/** Polls the log of changes that the leader publishes. */
export async function followChanges({
  db,
  clock,
  monotonicMs = () => performance.now(),
  log,
  signal,
}: FollowOptions): Promise<ChangeFeed> {
  /** Last delivered sequence number, and the time up to which all changes were delivered. */
  let [last, through] = [(await readLog(db)).seq, Number.NEGATIVE_INFINITY];

  const poll = async (listener: ChangeListener): Promise<void> => {
    const requested = monotonicMs();
    const { seq, ageMs, entries } = await withinTime(MAX_MS, clock, readLog(db, last));
    if (entries === undefined) listener.missed();
    for (const changes of entries ?? []) deliver(changes, listener);
    last = seq;
    through = ageMs === undefined ? Number.NEGATIVE_INFINITY : requested - ageMs;
  };
  const run = async (listener: ChangeListener): Promise<void> => {
    let isReading = true;
    while (!signal.aborted) {
      try {
        await poll(listener);
        isReading = true;
      } catch (error) {
        if (signal.aborted) return;
        if (isReading)
          log.warn({ err: error }, "the change log cannot be read; the column engine answers until it can");
        isReading = false;
      }
      await clock.sleep(EVERY_MS, signal).catch(() => undefined);
    }
  };
  const behindMs = (): number => monotonicMs() - through;
  let running: Promise<void> | undefined;
  return {
    begin: (listener) => void (running ??= run(listener)),
    isCurrent: () => behindMs() < CURRENT_MS,
    behindMs,
  };
}

function deliver(changes: StoredChanges, { changed, missed }: ChangeListener): void {
  if (changes === "everything") return missed();
  for (const { table, left, unknown } of changes) {
    const spans = left.map(([from, to]) => ({ from, to }));
    changed(table, spans);
    if (unknown) changed(table, "unknown");
  }
}
