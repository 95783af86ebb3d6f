import type { Resynced, Session } from "../../definition/session.ts";
import type { PacedRun } from "./socket-run.ts";

/** The first ones, which are traded most, and some others in rotation are compared. */
const MAX_TRADED = 3;
const OTHERS = 2;

export type StateWatch = {
  readonly run: PacedRun;
  readonly session: Session;
  /** Most traded first. */
  readonly instruments: ReadonlySet<string>;
  /** Number of queued frames: while there are any, the session itself lags. */
  readonly waiting: () => number;
  /** Venue time (Unix ms) when the last frame with a row arrived. */
  readonly lastReceived: () => number;
  readonly signal: AbortSignal;
  readonly onFrozen: (reason: string) => void;
  /** Called when all states as of this time agreed, or what was missed has been reported. */
  readonly onCompared: (requestedMs: number) => void;
  /** Called with instruments that missed something on a socket that still delivers others. */
  readonly onMissed: (instruments: readonly string[], reason: string) => void;
};

const MISSED = "it changed over REST but not over the socket";

/**
 * Compares a socket's states with the venue's over REST: a few instruments often, to find a socket that stays open but
 * delivers nothing, and all of them if the connector requests it, to find lost messages. Changes shown by REST must
 * arrive within some seconds. Ends when aborted or when the socket is found frozen; does nothing if the session cannot
 * compare.
 */
export async function watchStates(watch: StateWatch): Promise<void> {
  const { run, session, signal, onFrozen, onMissed, onCompared, lastReceived } = watch;
  const { clock, pace, log, connector } = run;
  if (session.follows === undefined || connector.resync === undefined) return;
  let comparedMs = clock.monotonicMs();
  for (let cycle = 0; !signal.aborted; cycle += 1) {
    await clock.sleep(pace.checkSeconds * 1000, signal).catch(() => undefined);
    if (signal.aborted) return;
    const isAll = clock.monotonicMs() - comparedMs >= (connector.compareSeconds ?? Number.POSITIVE_INFINITY) * 1000;
    try {
      const requestedMs = run.venueNow();
      const all = [...watch.instruments];
      const stuck = await findStuck(watch, isAll ? all : choose(all, cycle), requestedMs);
      if (signal.aborted) return;
      const [first] = stuck ?? [];
      if (first !== undefined && (session.distrust === undefined || lastReceived() <= requestedMs)) {
        onFrozen(`frozen: ${first} changed over REST but not over the socket`);
        return;
      }
      if (stuck !== undefined && first !== undefined) onMissed(stuck, MISSED);
      if (!isAll || stuck === undefined) continue;
      comparedMs = clock.monotonicMs();
      onCompared(requestedMs);
    } catch (error) {
      // Debug only: an unavailable venue is reported where its states are needed.
      log.debug({ err: error, stream: connector.name }, "a socket could not be compared with the venue's states");
    }
  }
}

/** Instruments whose state of some seconds ago the session has not received yet; undefined if it cannot tell. */
async function findStuck(
  { run, session, waiting, signal }: StateWatch,
  some: readonly string[],
  requestedMs: number,
): Promise<readonly string[] | undefined> {
  const behind: Resynced[] = [];
  const absent = new Set(run.connector.compareSeconds === undefined ? [] : some);
  const take = (state: Resynced): void => {
    if (session.follows?.(state, requestedMs) === false) behind.push(state);
  };
  const states = run.feed && some.length > 0 ? run.connector.resync?.(run.feed, some) : undefined;
  for await (const state of states ?? []) {
    absent.delete(state.instrument);
    take(state);
  }
  for (const instrument of absent) take({ instrument, state: null });
  if (behind.length === 0) return [];
  await run.clock.sleep(run.pace.graceMs, signal).catch(() => undefined);
  if (signal.aborted || waiting() > 0) return undefined;
  return behind.filter((state) => session.follows?.(state, requestedMs) === false).map(({ instrument }) => instrument);
}

function choose(all: readonly string[], cycle: number): readonly string[] {
  const others = all.slice(MAX_TRADED);
  const start = others.length === 0 ? 0 : (cycle * OTHERS) % others.length;
  return [...all.slice(0, MAX_TRADED), ...others.slice(start, start + OTHERS)];
}
