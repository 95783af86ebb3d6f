import type { Logger } from "pino";
import type { Clock } from "../../ingest/clock.ts";
import { shareVersions } from "../../ingest/rebuild.ts";
import type { Store } from "../../store/store.ts";
import { StoreError } from "../../store/statement.ts";

const MAX_MS = 15 * 60_000;
const AGAIN_MS = 5_000;

/**
 * Wraps the store for work of hours: a statement that finds the disk full is retried for a quarter of an hour. The
 * engine reserves as much room for a merge as it may write, so merges can hold all free space until they end.
 */
export function waitForRoom(
  store: Store,
  { clock, log, signal }: { readonly clock: Clock; readonly log: Logger; readonly signal: AbortSignal },
): Store {
  const patiently = async <T>(attempt: (isRepeated: boolean) => Promise<T>): Promise<T> => {
    let began: number | undefined;
    for (;;) {
      try {
        return await attempt(began !== undefined);
      } catch (error) {
        if (!(error instanceof StoreError) || error.kind !== "disk_full") throw error;
        if (began !== undefined && clock.monotonicMs() - began >= MAX_MS)
          throw new StoreError(error.kind, error.number, "the disk is full: free space, then run it again", error);
        if (began === undefined)
          log.warn(`the disk is full: free space; the statement is retried for ${MAX_MS / 60_000} minutes`);
        began ??= clock.monotonicMs();
        await clock.sleep(AGAIN_MS, signal);
      }
    }
  };
  const patient: Store = {
    ...store,
    read: (statement, reading) => patiently(() => store.read(statement, reading)),
    rows: (statement, reading) => patiently(() => store.rows(statement, reading)),
    run: (statement, settings) => patiently(() => store.run(statement, settings)),
    // A failed insert may have stored some of the rows, so `absent` no longer holds on retry.
    insert: (table, rows, mode) =>
      patiently((isRepeated) => store.insert(table, rows, isRepeated && mode === "absent" ? undefined : mode)),
    // Rows of days: stored twice, they are deduplicated by version.
    appendChosen: (...given) => patiently(() => store.appendChosen(...given)),
  };
  // The service goes on after the work: with versions of its own, its rows could count as older than those made here.
  shareVersions(store, patient);
  return patient;
}
