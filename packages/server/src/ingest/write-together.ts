import type { Batch, TableRows } from "../definition/connector.ts";
import { hasVersions } from "../store/ddl.ts";
import type { Clock } from "./clock.ts";

/** An engine statement costs as much for ten rows as for a thousand, and each batch needs some for every table. */
const MAX_ROWS = 10_000;
const MAX_MS = 5000;

export type WriteTogether = {
  /** Writes a batch together with earlier ones, or keeps it until there are more. */
  readonly add: (batch: Batch) => Promise<void>;
  /** Writes the kept batches. */
  readonly end: () => Promise<void>;
};

/**
 * Writes batches of a walk together. `written` is called for each, in order, once its rows are stored, with the number
 * of new rows since the last call. Failed batches are kept, and written again with the next call.
 */
export function createWriteTogether(
  write: (rows: TableRows) => Promise<number>,
  written: (batch: Batch, stored: number) => void,
  clock: Clock,
): WriteTogether {
  const kept: Batch[] = [];
  let since = 0;
  const end = async (): Promise<void> => {
    let stored = 0;
    for (const rows of joined(kept)) stored += await write(rows);
    for (const batch of kept.splice(0)) {
      written(batch, stored);
      stored = 0;
    }
  };
  return {
    add: async (batch) => {
      const isPlain = batch.rows.every(isJoinable);
      if (!isPlain) await end();
      if (kept.length === 0) since = clock.monotonicMs();
      kept.push(batch);
      if (!isPlain || countOf(kept) >= MAX_ROWS || clock.monotonicMs() - since >= MAX_MS) await end();
    },
    end,
  };
}

/** With versions, a later row may repeat what is stored after a different one between: each is compared separately. */
const isJoinable = ({ table, mode, allOf }: TableRows): boolean =>
  mode === undefined && allOf === undefined && !hasVersions(table);

const countOf = (batches: readonly Batch[]): number =>
  batches.flatMap((batch) => batch.rows).reduce((sum, { rows }) => sum + rows.length, 0);

/** The rows of several batches, merged by table; a single batch's as they are, whether joinable or not. */
function joined(batches: readonly Batch[]): readonly TableRows[] {
  if (batches.length < 2) return batches.flatMap(({ rows }) => rows);
  const tables = Map.groupBy(
    batches.flatMap(({ rows }) => rows),
    ({ table }) => table,
  );
  return Array.from(tables, ([table, all]) => ({ table, rows: all.flatMap(({ rows }) => rows) }));
}
