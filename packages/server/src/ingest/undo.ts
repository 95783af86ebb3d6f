import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { BlockScope } from "../definition/spans.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { Store, Taken } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { findOpenUndo, openUndo, type Undoer } from "./control/undo-record.ts";
import { rowTimestamp } from "./timestamps.ts";

/** Makes a rollback visible to queries, and completes one that was interrupted. */
export type Undo = {
  /** Before blocks are replaced: repairs sort orders that an interrupted walk left inconsistent. */
  readonly mend: (store: Store, table: TableDefinition) => Promise<void>;
  /** Before the first row is removed: records the rollback and waits until all queries know of it. */
  readonly begin: (scope: BlockScope, taken: Taken) => Promise<void>;
};

/** Queries may use records read up to a second earlier. */
const KNOWN_AFTER_MS = 1200;

export function createUndo(
  undoer: Undoer,
  options: {
    readonly db: Kysely<RecordsSchema>;
    readonly clock: Clock;
    readonly log: Logger;
    readonly signal: AbortSignal;
  },
): Undo {
  const { db, clock, log, signal } = options;
  const mended = new Set<string>();
  return {
    mend: async (store, table) => {
      if (mended.has(table.name)) return;
      const spans = await findOpenUndo(db, undoer);
      for (const { from, to } of spans) await store.mend(table, from.toISOString(), to.toISOString());
      mended.add(table.name);
    },
    begin: async (scope, taken) => {
      const from = new Date(Math.min(Date.parse(scope.since), rowTimestamp(taken.since) * 1000));
      const to = new Date(Math.max(Date.parse(scope.until), rowTimestamp(taken.until) * 1000));
      mended.clear();
      await openUndo(db, undoer, { from, to }, new Date(clock.now()));
      log.warn({ stream: undoer.stream, rows: taken.rows, from, to }, "the chain was reorganised: rolling back rows");
      await clock.sleep(KNOWN_AFTER_MS, signal);
    },
  };
}
