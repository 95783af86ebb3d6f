import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import { findHeld, saveFollowed, saveLeft } from "../control/followed-record.ts";

/** Records from which time (Unix ms, row time) each instrument of a stream is covered. */
export type FollowLog = {
  readonly note: (instruments: readonly string[], since: number) => void;
  /** Takes over instruments followed by an earlier run. */
  readonly adopt: () => Promise<void>;
  /** All instruments noted, in this run or an earlier one, and not left since. */
  readonly held: () => ReadonlySet<string>;
  /** Its coverage ends at this time (Unix ms); absent if its last state is still to be stored: see Farewell. */
  readonly leave: (instrument: string, until?: number) => void;
  /** Moves the start of unsaved instruments later, as the clock was slow; not later than `until`. */
  readonly correct: (slow: { readonly byMs: number; readonly until: number }) => void;
};

const MAX_HELD = 100_000;

const TRY_AGAIN_MS = 1000;
const TRIES_STOPPING = 3;

type FollowLogOptions = {
  readonly stream: string;
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Coverage starts again for an instrument that is followed again: see hasLastStates. */
  readonly isRestarted: boolean;
};

/**
 * An instrument is saved once, after its first state is stored. Until then, or if that is lost in a crash, it counts as
 * not followed: too little is claimed, never too much.
 */
export function createFollowLog(options: FollowLogOptions): FollowLog {
  const { stream, db, clock, log, signal, isRestarted } = options;
  const reported = new Set<string>();
  const held = new Set<string>();
  const waiting = new Map<string, number>();
  const left = new Map<string, number>();
  let isWriting = false;
  const write = async (): Promise<void> => {
    isWriting = true;
    for (let tried = 1; waiting.size + left.size > 0 && !(signal.aborted && tried > TRIES_STOPPING); tried += 1) {
      const [gone, some] = [new Map(left), new Map(waiting)];
      try {
        // Before the new ones: an instrument that came back after it was left is followed again.
        for (const [until, of] of Map.groupBy(gone, ([, at]) => at)) {
          const instruments = of.map(([instrument]) => instrument);
          await saveLeft(db, stream, instruments, new Date(until));
        }
        settle(left, gone);
        await saveFollowed(db, stream, some, isRestarted);
        settle(waiting, some);
      } catch (error) {
        log.warn({ err: error, stream, tried }, "followed instruments could not be recorded yet");
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
        if (reported.has(instrument)) continue;
        reported.add(instrument);
        held.add(instrument);
        waiting.set(instrument, since);
      }
      writeSoon();
    },
    adopt: async () => {
      for (const instrument of await findHeld(db, stream, MAX_HELD)) held.add(instrument);
    },
    held: () => held,
    leave: (instrument, until) => {
      reported.delete(instrument);
      held.delete(instrument);
      if (until === undefined) return;
      waiting.delete(instrument);
      left.set(instrument, until);
      writeSoon();
    },
    correct: (slow) => moveLater(waiting, slow),
  };
}

/** Removes what was written, unless it changed meanwhile. */
function settle(pending: Map<string, number>, written: ReadonlyMap<string, number>): void {
  for (const [instrument, at] of written) if (pending.get(instrument) === at) pending.delete(instrument);
}

function moveLater(timestamps: Map<string, number>, { byMs, until }: { byMs: number; until: number }): void {
  for (const [instrument, at] of timestamps) timestamps.set(instrument, Math.max(at, Math.min(at + byMs, until)));
}
