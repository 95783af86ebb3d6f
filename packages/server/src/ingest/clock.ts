import { uptime } from "node:os";
import { setTimeout as elapse } from "node:timers/promises";
import type { Logger } from "pino";

type Pace = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Between the end of one turn and the next, at least: after a long turn it is rested for longer. */
  readonly everyMs: number;
  /** Before the first turn, where that is less. */
  readonly firstMs: number;
  /** It never rests for longer. */
  readonly mostMs?: number;
  /** How it rests, where something may end that early. */
  readonly rest?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** What is said of a turn that fails; it is tried again with the next, twice as late each time where that is wanted. */
  readonly failed: {
    readonly log: Pick<Logger, "error">;
    readonly labels?: Readonly<Record<string, string>>;
    readonly message: string;
    readonly backsOff?: true;
  };
};

/** Works by turns until aborted. A turn is given when it began, and may say how soon the next is wanted. */
export async function every(pace: Pace, work: (began: number) => Promise<number | void>): Promise<void> {
  const { clock, signal, everyMs, firstMs, mostMs = Number.POSITIVE_INFINITY, failed, rest = clock.sleep } = pace;
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
    // Costly turns come seldom: at most a fifth of the time is spent on them.
    wait = Math.min(mostMs, Math.max(wanted, REST_SHARE * (clock.monotonicMs() - startedMs)));
  }
}

/** After a turn it is rested for so many times as long. */
const REST_SHARE = 4;

/** Time as everything in ingest sees it; tests hand over one they move themselves. */
export type Clock = {
  /** Unix ms by the machine's clock, which may be set at any time: for what is stored and compared with it. */
  readonly now: () => number;
  /** ms since any moment, whatever the machine's clock is set to: for what takes time, and waits. */
  readonly monotonicMs: () => number;
  /** ms since the machine started, with the time that it slept, to a second. Absent: it never sleeps. */
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

/** The work's result; throws where it is not there in time, and leaves the work to itself then. */
export async function withinTime<T>(ms: number, clock: Clock, work: Promise<T>): Promise<T> {
  const rest = new AbortController();
  const late = clock.sleep(ms, rest.signal).then(
    () => {
      throw new Error(`not done within ${ms} ms`);
    },
    () => undefined as never,
  );
  work.catch(() => undefined);
  return await Promise.race([work, late]).finally(() => rest.abort());
}
