import { uptime } from "node:os";
import { setTimeout as elapse } from "node:timers/promises";
import type { Logger } from "pino";

type Pace = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Minimum pause between the end of one run and the next; longer after a long run. */
  readonly everyMs: number;
  /** Pause before the first run, if shorter than `everyMs`. */
  readonly firstMs: number;
  /** Upper bound of a pause. */
  readonly maxMs?: number;
  /** How to pause, if something may end the pause early. */
  readonly rest?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How to log a failed run; `backsOff` doubles the pause with each failure. */
  readonly failed: {
    readonly log: Pick<Logger, "error">;
    readonly labels?: Readonly<Record<string, string>>;
    readonly message: string;
    readonly backsOff?: true;
  };
};

/** Runs `work` repeatedly until aborted. It gets the start time (Unix ms) and may return the ms until the next run. */
export async function every(pace: Pace, work: (began: number) => Promise<number | void>): Promise<void> {
  const { clock, signal, everyMs, firstMs, maxMs = Number.POSITIVE_INFINITY, failed, rest = clock.sleep } = pace;
  let wait = Math.min(firstMs, everyMs);
  let failures = 0;
  while (!signal.aborted) {
    if (wait > 0) await rest(wait, signal).catch(() => undefined);
    if (signal.aborted) return;
    const startedMs = clock.monotonicMs();
    let wanted = everyMs;
    try {
      wanted = (await work(clock.now())) ?? everyMs;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failed.backsOff) wanted = everyMs * 2 ** failures;
      if (!signal.aborted) failed.log.error({ err: error, ...failed.labels }, failed.message);
    }
    // Long runs are spaced out: at most a fifth of the time is spent on them.
    wait = Math.min(maxMs, Math.max(wanted, REST_SHARE * (clock.monotonicMs() - startedMs)));
  }
}

/** Minimum pause after a run, as a multiple of its duration. */
const REST_SHARE = 4;

/** Time source of all ingest code; tests pass one they advance themselves. */
export type Clock = {
  /** Unix ms of the machine's clock, which may be set at any time: for stored times and comparisons with them. */
  readonly now: () => number;
  /** ms from an arbitrary origin, unaffected by setting the machine's clock: for durations and waits. */
  readonly monotonicMs: () => number;
  /** ms since the machine started, including sleep, precise to a second. Absent: it never sleeps. */
  readonly uptimeMs?: () => number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  uptimeMs: () => uptime() * 1000,
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    try {
      await elapse(Math.max(0, ms), undefined, signal ? { signal } : {});
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};

/** Resolves to the work's result; throws on timeout, and leaves the work running then. */
export async function withinTime<T>(ms: number, clock: Clock, work: Promise<T>): Promise<T> {
  const rest = new AbortController();
  const late = clock.sleep(ms, rest.signal).then(
    () => {
      throw new Error(`not finished within ${ms} ms`);
    },
    () => undefined as never,
  );
  work.catch(() => undefined);
  return await Promise.race([work, late]).finally(() => rest.abort());
}

export type BackoffPace = { readonly firstMs: number; readonly maxMs: number };

/** Full jitter: anywhere between nothing and the exponential ceiling of this attempt (counted from 0). */
export function backoffMs(attempt: number, pace: BackoffPace, random: () => number = Math.random): number {
  return Math.ceil(random() * Math.min(pace.maxMs, pace.firstMs * 2 ** Math.min(attempt, 20)));
}
