import { saveLeft } from "../control/followed-record.ts";
import type { GapKeeper } from "./gap-keeper.ts";
import type { GroupStore } from "./group-store.ts";
import { behindAhead, MAX_AHEAD_MS } from "./row-clock.ts";
import type { PacedRun } from "./socket-run.ts";

/** Instruments no longer followed, until the last state of each is stored. */
export type Farewell = {
  /** `since`: time (Unix ms) from which its stored state may be wrong; undefined if it is known to be right. */
  readonly add: (instrument: string, since: Promise<number | undefined>) => Promise<void>;
  /** The instrument is followed again. */
  readonly forget: (instrument: string) => void;
  /** Runs until aborted. */
  readonly run: () => Promise<void>;
};

const CYCLE = 500;
/** A state that the venue still has is requested less and less often. */
const MAX_AGAIN_MS = 600_000;
const MAX_GAPS = 500;
const MANY = "left without a last state";
const REASON = "no longer followed, and its last state is not stored yet";

type Leaving = { dueMs: number; requested: number };

/**
 * A market's book at its close is missing if the socket was down or lost that message. So the state of each instrument
 * that left and was not known to be empty is requested until the venue has none, which is stored as an empty state.
 * Until then its time is a gap, because its state is no longer followed.
 */
export function createFarewell(run: PacedRun, gaps: GapKeeper, store: GroupStore): Farewell {
  const { clock, venueNow, signal, pace } = run;
  const expected = new Map<string, Promise<number | undefined>>();
  const leaving = new Map<string, Leaving>();
  const done = new Set<string>();

  const end = (instrument: string, at: number): void => {
    if (!leaving.delete(instrument)) return;
    done.add(instrument);
    gaps.close(nameOf(instrument), at);
    if (leaving.size <= MAX_GAPS) gaps.close(MANY, at);
  };
  /** Until their time is past, rows that the venue stamped ahead would hide a last state stored now. */
  const isHidden = (): boolean => {
    const { aheadTo } = run.lead;
    return aheadTo !== undefined && aheadTo < venueNow() + MAX_AHEAD_MS;
  };
  const cycle = async (): Promise<void> => {
    const now = clock.monotonicMs();
    const due = isHidden() ? [] : [...leaving].filter(([, { dueMs }]) => dueMs <= now).slice(0, CYCLE);
    const requested = due.map(([instrument]) => instrument);
    const given = requested.length === 0 ? new Set<string>() : await storeStates(run, store, requested);
    const at = venueNow();
    for (const [instrument, each] of due) {
      each.requested += 1;
      each.dueMs = now + Math.min(pace.leavingAgainMs * each.requested, MAX_AGAIN_MS);
      if (!given.has(instrument)) end(instrument, at);
    }
    await writeDown(run, done);
  };

  return {
    add: async (instrument, reported) => {
      expected.set(instrument, reported);
      const since = await reported;
      if (expected.get(instrument) !== reported) return;
      expected.delete(instrument);
      if (since === undefined && !isHidden()) {
        done.add(instrument);
        return;
      }
      const from = since ?? venueNow();
      leaving.set(instrument, { dueMs: 0, requested: 0 });
      if (leaving.size <= MAX_GAPS) gaps.open(nameOf(instrument), { from, reason: REASON, instrument });
      else gaps.open(MANY, { from, reason: `${leaving.size} instruments: ${REASON}` });
    },
    forget: (instrument) => {
      expected.delete(instrument);
      done.delete(instrument);
      if (leaving.delete(instrument)) gaps.close(nameOf(instrument), venueNow());
    },
    run: async () => {
      while (!signal.aborted) {
        await cycle().catch((error: unknown) => {
          run.log.warn({ err: error, stream: run.connector.name }, "last states could not be stored yet");
        });
        await clock.sleep(pace.leavingMs, signal).catch(() => undefined);
      }
    },
  };
}

/** Stores the venue's current states; returns the instruments that have one. */
async function storeStates(
  { connector, feed, venueNow, lead }: PacedRun,
  store: GroupStore,
  instruments: readonly string[],
): Promise<ReadonlySet<string>> {
  const session = connector.session();
  session.subscribe(instruments);
  const states = new Map<string, unknown>(instruments.map((instrument) => [instrument, null]));
  const given = feed === undefined ? undefined : connector.resync?.(feed, instruments);
  for await (const { instrument, state } of given ?? []) states.set(instrument, state);
  const at = venueNow();
  const rows = [...states].flatMap(([instrument, state]) => session.adopt({ instrument, state }, at).rows);
  const stamped = behindAhead(rows, lead, at);
  let lost: string | undefined;
  await store(stamped, (reason) => {
    lost = reason;
  });
  if (lost !== undefined) throw new Error(lost);
  return new Set([...states].filter(([, state]) => state !== null).map(([instrument]) => instrument));
}

async function writeDown({ connector, db, clock }: PacedRun, done: Set<string>): Promise<void> {
  const some = [...done].slice(0, CYCLE);
  if (some.length === 0) return;
  await saveLeft(db, connector.name, some, new Date(clock.now()));
  for (const instrument of some) done.delete(instrument);
}

const nameOf = (instrument: string): string => `left ${instrument}`;
