import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import { findHeld, saveFollowed, saveLeft } from "../control/followed-record.ts";

/** Tells the records from which moment on (Unix ms, rows' time) each instrument of a stream is held. */
export type FollowLog = {
  readonly note: (instruments: readonly string[], since: number) => void;
  /** Takes over what a run before this one followed. */
  readonly adopt: () => Promise<void>;
  /** All that were noted, in this run or before it, and not left since. */
  readonly held: () => ReadonlySet<string>;
  /** It is held until this moment (Unix ms); absent where its last state is still to be stored: see Farewell. */
  readonly leave: (instrument: string, until?: number) => void;
  /** Those that are not written down yet are held since later, by a clock that was behind; not later than `until`. */
  readonly correct: (slow: { readonly byMs: number; readonly until: number }) => void;
};

const MOST_HELD = 100_000;

const TRY_AGAIN_MS = 1000;
const TRIES_STOPPING = 3;

type FollowLogOptions = {
  readonly stream: string;
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** What is followed again is held anew: see hasLastStates. */
  readonly isAnew: boolean;
};

/**
 * An instrument is written down once, after its first state is stored. Until it is, and where that is lost by a crash,
 * the instrument counts as not followed: too little is claimed, never too much.
 */
export function createFollowLog(options: FollowLogOptions): FollowLog {
  const { stream, db, clock, log, signal, isAnew } = options;
  const told = new Set<string>();
  const held = new Set<string>();
  const waiting = new Map<string, number>();
  const left = new Map<string, number>();
  let isWriting = false;
  const write = async (): Promise<void> => {
    isWriting = true;
    for (let tried = 1; waiting.size + left.size > 0 && !(signal.aborted && tried > TRIES_STOPPING); tried += 1) {
      const [gone, some] = [new Map(left), new Map(waiting)];
      try {
        // What came back since it was left is followed anew.
        for (const [until, of] of Map.groupBy(gone, ([, at]) => at)) {
          const instruments = of.map(([instrument]) => instrument);
          await saveLeft(db, stream, instruments, new Date(until));
        }
        settle(left, gone);
        await saveFollowed(db, stream, some, isAnew);
        settle(waiting, some);
      } catch (error) {
        log.warn({ err: error, stream, tried }, "followed instruments could not be written down yet");
        await clock.sleep(TRY_AGAIN_MS, signal).catch(() => undefined);
      }
    }
    isWriting = false;
  };
  const writeSoon = (): void => {
    if (waiting.size + left.size > 0 && !isWriting) void write();
  };
  return {
    note: (instruments, since) => {
      for (const instrument of instruments) {
        if (told.has(instrument)) continue;
        told.add(instrument);
        held.add(instrument);
        waiting.set(instrument, since);
      }
      writeSoon();
    },
    adopt: async () => {
      for (const instrument of await findHeld(db, stream, MOST_HELD)) held.add(instrument);
    },
    held: () => held,
    leave: (instrument, until) => {
      told.delete(instrument);
      held.delete(instrument);
      if (until === undefined) return;
      waiting.delete(instrument);
      left.set(instrument, until);
      writeSoon();
    },
    correct: (slow) => moveLater(waiting, slow),
  };
}

/** What was written, unless it changed meanwhile. */
function settle(pending: Map<string, number>, written: ReadonlyMap<string, number>): void {
  for (const [instrument, at] of written) if (pending.get(instrument) === at) pending.delete(instrument);
}

function moveLater(moments: Map<string, number>, { byMs, until }: { byMs: number; until: number }): void {
  for (const [instrument, at] of moments) moments.set(instrument, Math.max(at, Math.min(at + byMs, until)));
}
