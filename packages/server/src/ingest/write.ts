import type { TableRows } from "../definition/connector.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { Inserted, Store, Taken } from "../store/store.ts";
import type { Deriver } from "./derive.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { rowTimestamp } from "./timestamps.ts";
import type { Undo } from "./undo.ts";

/**
 * Stores a stream's rows and triggers the derivations that read them. Rows that replace all of some blocks need `undo`:
 * other stored rows of these are rolled back.
 */
export type Write = (stream: string, rows: TableRows, undo?: Undo) => Promise<Inserted>;

/**
 * `announceKnown`: rows stored before are derived again too. A backfill needs it: rows it repeats after a crash may
 * have been stored but not derived.
 */
export function createWrite(options: {
  readonly store: Store;
  readonly deriver: Pick<Deriver, "begin" | "leaving">;
  readonly metrics: IngestMetrics;
  /** Waits until this process may write; throws once it no longer may. */
  readonly sure?: (() => Promise<void>) | undefined;
  readonly announceKnown: boolean;
  /** Called with rows once they are stored: some may have been refused before. */
  readonly reread?: (stream: string, rows: TableRows) => Promise<void>;
}): Write {
  const { store, deriver, metrics, announceKnown, reread, sure } = options;
  return async (stream, rows, undo) => {
    const { table, allOf } = rows;
    if (rows.rows.length === 0 && allOf === undefined) return { stored: 0, known: 0 };
    await sure?.();
    const announce = deriver.begin(table);
    const left: InsertRow[] = [];
    try {
      const inserted = await put({ store, deriver }, rows, undo, left);
      metrics.rows.inc({ stream, table: table.name }, inserted.stored);
      metrics.known.inc({ stream, table: table.name }, inserted.known);
      left.push(...(inserted.replacedAt ?? []).map((timestamp) => ({ [table.keyRange ?? ""]: timestamp })));
      announce(announceKnown || inserted.stored > 0 || left.length > 0 ? rows.rows : [], left);
      await reread?.(stream, rows);
      return inserted;
    } catch (error) {
      // Some rows may be stored.
      announce(rows.rows, left);
      throw error;
    }
  };
}

/** `left` receives the times (as rows) of what is about to be removed, and the keys it belongs to. */
async function put(
  { store, deriver }: { readonly store: Store; readonly deriver: Pick<Deriver, "leaving"> },
  { table, rows, mode, allOf }: TableRows,
  undo: Undo | undefined,
  left: InsertRow[],
): Promise<Inserted> {
  if (allOf === undefined) return store.insert(table, rows, mode);
  if (undo === undefined) throw new TypeError(`rows of ${table.name} replace those of blocks: this walk cannot undo`);
  await undo.mend(store, table);
  return store.replace(table, rows, {
    scope: allOf,
    before: async (taken) => {
      left.push(...timestampsOf(table, taken), ...(await deriver.leaving(table, taken)));
      await undo.begin(allOf, taken);
    },
  });
}

const STEP_SECONDS = 60;

/** One time per minute between the first and the last row removed: a few blocks span a few minutes at most. */
function timestampsOf({ keyRange = "" }: TableDefinition, { since, until }: Taken): InsertRow[] {
  const [from, to] = [rowTimestamp(since), rowTimestamp(until)];
  const count = Math.floor((to - from) / STEP_SECONDS) + 1;
  const stepped = Array.from({ length: count }, (_, index) => ({ [keyRange]: from + index * STEP_SECONDS }));
  return [...stepped, { [keyRange]: to }];
}
