import type { Resynced, Session } from "../../definition/connector.ts";
import type { PacedRun } from "./socket-run.ts";

/** Of them the first ones, which are traded most, and some others in turn. */
const MOST_TRADED = 3;
const OTHERS = 2;

export type FreezeWatch = {
  readonly run: PacedRun;
  readonly session: Session;
  /** Most traded first. */
  readonly instruments: ReadonlySet<string>;
  /** Frames that wait to be read: while there are any, the session is behind by itself. */
  readonly waiting: () => number;
  readonly signal: AbortSignal;
  readonly onFrozen: (reason: string) => void;
};

/**
 * Finds a socket that stays open and answers heartbeats but brings nothing any more: now and then the venue's states of
 * a few instruments are fetched over REST, and what they show must have come over the socket some seconds later.
 * Ends when aborted or when the socket is found frozen; does nothing where the session cannot tell.
 */
export async function watchFreeze(watch: FreezeWatch): Promise<void> {
  const { run, session, signal, onFrozen } = watch;
  const { clock, pace, log, connector } = run;
  if (session.follows === undefined || connector.resync === undefined) return;
  for (let turn = 0; !signal.aborted; turn += 1) {
    await clock.sleep(pace.checkSeconds * 1000, signal).catch(() => undefined);
    if (signal.aborted) return;
    try {
      const stuck = await findStuck(watch, choose([...watch.instruments], turn));
      if (signal.aborted || stuck === undefined) continue;
      onFrozen(`frozen: over REST ${stuck} has moved, over the socket it has not`);
      return;
    } catch (error) {
      // A venue that cannot be asked is noticed where it is needed.
      log.debug({ err: error, stream: connector.name }, "a socket could not be compared with the venue's states");
    }
  }
}

/** An instrument whose state of some seconds ago the session has not heard of yet. */
async function findStuck(
  { run, session, waiting, signal }: FreezeWatch,
  some: readonly string[],
): Promise<string | undefined> {
  const askedMs = run.venueNow();
  const behind: Resynced[] = [];
  const states = run.feed && some.length > 0 ? run.connector.resync?.(run.feed, some) : undefined;
  for await (const state of states ?? []) if (session.follows?.(state, askedMs) === false) behind.push(state);
  if (behind.length === 0) return undefined;
  await run.clock.sleep(run.pace.graceMs, signal).catch(() => undefined);
  if (signal.aborted || waiting() > 0) return undefined;
  return behind.find((state) => session.follows?.(state, askedMs) === false)?.instrument;
}

function choose(all: readonly string[], turn: number): readonly string[] {
  const others = all.slice(MOST_TRADED);
  const start = others.length === 0 ? 0 : (turn * OTHERS) % others.length;
  return [...all.slice(0, MOST_TRADED), ...others.slice(start, start + OTHERS)];
}
