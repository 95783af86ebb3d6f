import { backoffMs } from "../clock.ts";
import type { Pipeline } from "./pipeline.ts";
import type { PacedRun } from "./socket-run.ts";

/** Fetches full states for instruments with an untrusted state, and feeds them into their connection's pipeline. */
export type Resyncer = {
  readonly want: (instruments: readonly string[]) => void;
  readonly forget: (instruments: readonly string[]) => void;
  /** Runs until aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
};

type Resynced = { at: number; inARow: number };

const IDLE_MS = 50;
const FULL_NAP_MS = 20;
const CALM_MS = 60_000;

/**
 * `onSynced` is called with instruments whose fetched state has been decoded and stored, and with those of them that
 * have no state at the venue, if its states show that.
 */
export function createResyncer(
  run: PacedRun,
  pipeline: Pipeline,
  onSynced: (instruments: readonly string[], absent: ReadonlySet<string>) => void,
): Resyncer {
  const { clock, pace } = run;
  const wanted = new Map<string, number>();
  const history = new Map<string, Resynced>();
  let failures = 0;

  const want = (instruments: readonly string[]): void => {
    const now = clock.monotonicMs();
    for (const instrument of instruments) {
      const before = history.get(instrument);
      const inARow = before && now - before.at < CALM_MS ? before.inARow + 1 : 0;
      history.set(instrument, { at: now, inARow });
      // An instrument that breaks repeatedly is requested less and less often.
      const wait = inARow === 0 ? 0 : pace.resyncAgain.firstMs / 4 + backoffMs(inARow - 1, pace.resyncAgain);
      wanted.set(instrument, now + wait);
    }
  };

  const resync = async (due: readonly string[], signal: AbortSignal): Promise<void> => {
    for (const instrument of due) wanted.delete(instrument);
    const requested = new Map(due.map((instrument) => [instrument, history.get(instrument)]));
    const { left, error } = await fetchStates(run, pipeline, due, signal);
    if (signal.aborted) return;
    failures = error === undefined ? 0 : failures + 1;
    const again = clock.monotonicMs() + backoffMs(failures - 1, pace.resyncAgain);
    if (error !== undefined) for (const instrument of left) wanted.set(instrument, again);
    const synced = due.filter((instrument) => !wanted.has(instrument));
    const isReported = run.connector.compareSeconds !== undefined;
    const absent = new Set(isReported ? synced.filter((instrument) => left.has(instrument)) : []);
    // One whose state could not be read, or that broke again meanwhile, is restored by its next request.
    const isLatest = (instrument: string): boolean => history.get(instrument) === requested.get(instrument);
    pipeline.offer({ kind: "mark", reached: () => onSynced(synced.filter(isLatest), absent) });
  };

  return {
    want,
    forget: (instruments) => {
      for (const instrument of instruments) {
        wanted.delete(instrument);
        history.delete(instrument);
      }
    },
    run: async (signal) => {
      while (!signal.aborted) {
        const now = clock.monotonicMs();
        const due = [...wanted].filter(([, at]) => at <= now).map(([instrument]) => instrument);
        if (due.length > 0) await resync(due, signal);
        else await clock.sleep(IDLE_MS, signal).catch(() => undefined);
      }
    },
  };
}

/** Fetches states into the pipeline; `left` are instruments without a state, or not reached before the error. */
async function fetchStates(
  { connector, feed, clock, venueNow, log, watch, metrics }: PacedRun,
  pipeline: Pipeline,
  due: readonly string[],
  signal: AbortSignal,
): Promise<{ left: ReadonlySet<string>; error: unknown }> {
  const left = new Set(due);
  try {
    const states = feed === undefined ? undefined : connector.resync?.(feed, due);
    for await (const state of states ?? []) {
      while (pipeline.isFull() && !signal.aborted) await clock.sleep(FULL_NAP_MS, signal).catch(() => undefined);
      if (signal.aborted) break;
      pipeline.offer({ kind: "state", state, receivedMs: venueNow() });
      left.delete(state.instrument);
    }
    return { left, error: undefined };
  } catch (error) {
    if (signal.aborted) return { left, error };
    watch.failed(error, clock.now());
    metrics.errors.inc({ stream: connector.name });
    log.error({ err: error, stream: connector.name, instruments: left.size }, "a resync failed; retrying");
    return { left, error };
  }
}
