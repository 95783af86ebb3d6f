import type { Logger } from "pino";
import type { Clock } from "./clock.ts";

type Pace = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Between the end of one turn and the next, at least: after a long turn it is rested for longer. */
  readonly everyMs: number;
  /** Before the first turn, where that is less. */
  readonly firstMs: number;
  /** It never rests for longer. */
  readonly mostMs?: number;
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
  const { clock, signal, everyMs, firstMs, mostMs = Number.POSITIVE_INFINITY, failed } = pace;
  let wait = Math.min(firstMs, everyMs);
  let failures = 0;
  while (!signal.aborted) {
    if (wait > 0) await clock.sleep(wait, signal).catch(() => undefined);
    if (signal.aborted) return;
    const began = clock.now();
    let wanted = everyMs;
    try {
      wanted = (await work(began)) ?? everyMs;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failed.backsOff) wanted = everyMs * 2 ** failures;
      if (!signal.aborted) failed.log.error({ err: error, ...failed.labels }, failed.message);
    }
    // Costly turns come seldom: at most a fifth of the time is spent on them.
    wait = Math.min(mostMs, Math.max(wanted, REST_SHARE * (clock.now() - began)));
  }
}

/** After a turn it is rested for so many times as long. */
const REST_SHARE = 4;
