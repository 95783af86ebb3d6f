import type { Batch, TableRows } from "../definition/connector.ts";
import { hasVersions } from "../store/ddl.ts";
import type { Clock } from "./clock.ts";

/** A statement of the engine costs as much for ten rows as for a thousand, and each batch takes some for every table. */
const MOST_ROWS = 10_000;
const MOST_MS = 5000;

export type WriteTogether = {
  /** Writes a batch with those before it, or keeps it until there are more. */
  readonly add: (batch: Batch) => Promise<void>;
  /** Writes what is kept. */
  readonly end: () => Promise<void>;
};

/**
 * Writes batches of a walk some at a time. `written` is called for each in turn once its rows are stored, with how many
 * rows were new since the last call. What fails stays kept, and is written again with the next call.
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
      if (!isPlain || countOf(kept) >= MOST_ROWS || clock.monotonicMs() - since >= MOST_MS) await end();
    },
    end,
  };
}

/** Of rows with versions a later one may say again what is stored, after another one between: each is compared by itself. */
const isJoinable = ({ table, mode, allOf }: TableRows): boolean =>
  mode === undefined && allOf === undefined && !hasVersions(table);

const countOf = (batches: readonly Batch[]): number =>
  batches.flatMap((batch) => batch.rows).reduce((sum, { rows }) => sum + rows.length, 0);

/** The rows of batches, those of one table as one; of a single batch as they are, be they joinable or not. */
function joined(batches: readonly Batch[]): readonly TableRows[] {
  if (batches.length < 2) return batches.flatMap(({ rows }) => rows);
  const tables = Map.groupBy(
    batches.flatMap(({ rows }) => rows),
    ({ table }) => table,
  );
  return Array.from(tables, ([table, all]) => ({ table, rows: all.flatMap(({ rows }) => rows) }));
}
