import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import { findHeld, saveFollowed } from "../control/followed-record.ts";

/** Tells the records from which moment on (Unix ms, rows' time) each instrument of a stream is held. */
export type FollowLog = {
  readonly note: (instruments: readonly string[], since: number) => void;
  /** Takes over what a run before this one followed. */
  readonly adopt: () => Promise<void>;
  /** All that were noted, in this run or before it, and not left since. */
  readonly held: () => ReadonlySet<string>;
  readonly leave: (instrument: string) => void;
};

const MOST_HELD = 100_000;

const TRY_AGAIN_MS = 1000;
const TRIES_STOPPING = 3;

/**
 * An instrument is written down once, after its first state is stored. Until it is, and where that is lost by a crash,
 * the instrument counts as not followed: too little is claimed, never too much.
 */
export function createFollowLog(options: {
  readonly stream: string;
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}): FollowLog {
  const { stream, db, clock, log, signal } = options;
  const told = new Set<string>();
  const held = new Set<string>();
  const waiting = new Map<string, number>();
  let isWriting = false;
  const write = async (): Promise<void> => {
    isWriting = true;
    for (let tried = 1; waiting.size > 0 && !(signal.aborted && tried > TRIES_STOPPING); tried += 1) {
      const some = new Map(waiting);
      try {
        await saveFollowed(db, stream, some);
        for (const instrument of some.keys()) waiting.delete(instrument);
      } catch (error) {
        log.warn({ err: error, stream, tried }, "followed instruments could not be written down yet");
        await clock.sleep(TRY_AGAIN_MS, signal).catch(() => undefined);
      }
    }
    isWriting = false;
  };
  return {
    note: (instruments, since) => {
      for (const instrument of instruments) {
        if (told.has(instrument)) continue;
        told.add(instrument);
        held.add(instrument);
        waiting.set(instrument, since);
      }
      if (waiting.size > 0 && !isWriting) void write();
    },
    adopt: async () => {
      for (const instrument of await findHeld(db, stream, MOST_HELD)) held.add(instrument);
    },
    held: () => held,
    leave: (instrument) => {
      told.delete(instrument);
      held.delete(instrument);
    },
  };
}
