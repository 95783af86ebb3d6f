import { saveLeft } from "../control/followed-record.ts";
import type { GapKeeper } from "./gap-keeper.ts";
import type { GroupStore } from "./group-store.ts";
import type { PacedRun } from "./socket-run.ts";

/** Instruments that are followed no more, until the last state of each is stored. */
export type Farewell = {
  /** `since`: from which moment (Unix ms) on its stored state may be wrong; undefined where it is known to be right. */
  readonly add: (instrument: string, since: Promise<number | undefined>) => Promise<void>;
  /** Followed again. */
  readonly forget: (instrument: string) => void;
  /** Runs until aborted. */
  readonly run: () => Promise<void>;
};

const A_TURN = 500;
/** What the venue still has a state of is asked for less and less often. */
const MOST_AGAIN_MS = 600_000;
const MOST_GAPS = 500;
const MANY = "left without a last state";
const REASON = "it is followed no more, and its last state is not stored yet";

type Leaving = { dueMs: number; asked: number };

/**
 * What a market's book was when it closed does not show where the socket was down or lost that message. So the venue is
 * asked for the state of each instrument that left and was not known to be empty: until it has none, which is stored as
 * an empty state. Meanwhile, and as long as it has one, which nobody listens to any more, its time is a gap.
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
    if (leaving.size <= MOST_GAPS) gaps.close(MANY, at);
  };
  const turn = async (): Promise<void> => {
    const now = clock.monotonicMs();
    const due = [...leaving].filter(([, { dueMs }]) => dueMs <= now).slice(0, A_TURN);
    const asked = due.map(([instrument]) => instrument);
    const given = asked.length === 0 ? new Set<string>() : await storeStates(run, store, asked);
    const at = venueNow();
    for (const [instrument, each] of due) {
      each.asked += 1;
      each.dueMs = now + Math.min(pace.leavingAgainMs * each.asked, MOST_AGAIN_MS);
      if (!given.has(instrument)) end(instrument, at);
    }
    await writeDown(run, done);
  };

  return {
    add: async (instrument, told) => {
      expected.set(instrument, told);
      const since = await told;
      if (expected.get(instrument) !== told) return;
      expected.delete(instrument);
      if (since === undefined) {
        done.add(instrument);
        return;
      }
      leaving.set(instrument, { dueMs: 0, asked: 0 });
      if (leaving.size <= MOST_GAPS) gaps.open(nameOf(instrument), { from: since, reason: REASON, instrument });
      else gaps.open(MANY, { from: since, reason: `${leaving.size} instruments: ${REASON}` });
    },
    forget: (instrument) => {
      expected.delete(instrument);
      done.delete(instrument);
      if (leaving.delete(instrument)) gaps.close(nameOf(instrument), venueNow());
    },
    run: async () => {
      while (!signal.aborted) {
        await turn().catch((error: unknown) => {
          run.log.warn({ err: error, stream: run.connector.name }, "last states could not be stored yet");
        });
        await clock.sleep(pace.leavingMs, signal).catch(() => undefined);
      }
    },
  };
}

/** Stores what the venue says of them now; those that it has a state of. */
async function storeStates(
  { connector, feed, venueNow }: PacedRun,
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
  let lost: string | undefined;
  await store(rows, (reason) => {
    lost = reason;
  });
  if (lost !== undefined) throw new Error(lost);
  return new Set([...states].filter(([, state]) => state !== null).map(([instrument]) => instrument));
}

async function writeDown({ connector, db, clock }: PacedRun, done: Set<string>): Promise<void> {
  const some = [...done].slice(0, A_TURN);
  if (some.length === 0) return;
  await saveLeft(db, connector.name, some, new Date(clock.now()));
  for (const instrument of some) done.delete(instrument);
}

const nameOf = (instrument: string): string => `left ${instrument}`;
