import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import { STAMP_MARGIN_MS } from "../stamp-margin.ts";
import { withinTime } from "../within-time.ts";
import { beginLog, endLog, pruneLog, tellLog } from "./log-record.ts";
import type { Untold } from "./untold.ts";

export type Telling = {
  /** Under the lease with the token. */
  readonly db: Kysely<RecordsSchema>;
  readonly token: number;
  readonly untold: Untold;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
};

const EVERY_MS = 150;
const PRUNE_EVERY_MS = 60_000;
const TRY_AGAIN_MS = 500;
const MOST_MS = 5_000;

/**
 * Writes down in the records, while this process leads, what it stores: other processes' indexes follow that. Gives what
 * ends it, when nothing is stored any more. Throws where it cannot begin.
 */
export async function tellStored({ db, token, untold, clock, log }: Telling): Promise<() => Promise<void>> {
  const over = new AbortController();
  const began = clock.now();
  let through = await beginLog(db, token);
  const tell = async (): Promise<void> => {
    // Rows of a process whose clock is behind the one before bear older stamps than what is stored, for so long.
    const changes = untold.take(clock.now() - began < STAMP_MARGIN_MS);
    try {
      // What is stored after the changes were taken is told with the next ones: so late is it known that all is told.
      through = await withinTime(MOST_MS, clock, tellLog(db, token, changes, through));
    } catch (error) {
      untold.giveBack(changes);
      throw error;
    }
  };
  const run = async (): Promise<void> => {
    let [prunedAt, isTelling] = [clock.now(), true];
    const turn = async (): Promise<void> => {
      await tell();
      if (clock.now() - prunedAt < PRUNE_EVERY_MS) return;
      prunedAt = clock.now();
      await pruneLog(db);
    };
    while (!over.signal.aborted) {
      try {
        await turn();
        isTelling = true;
      } catch (error) {
        if (isTelling) log.warn({ err: error }, "what is stored cannot be told to other processes; it is tried again");
        isTelling = false;
      }
      await clock.sleep(isTelling ? EVERY_MS : TRY_AGAIN_MS, over.signal).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    over.abort();
    await running;
    // The next leader tells that something may be missing where this one does not say its last.
    await withinTime(MOST_MS, clock, endLog(db, token)).catch(() => undefined);
  };
}
