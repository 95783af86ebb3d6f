import type { TableRows } from "../definition/connector.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { Inserted, Store, Taken } from "../store/store.ts";
import type { Deriver } from "./derive.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { rowMoment } from "./moments.ts";
import type { Undo } from "./undo.ts";

/**
 * Stores a stream's rows and has the derivations that read them run. Rows that are all of some blocks need `undo`: what
 * else was stored of these is taken back.
 */
export type Write = (stream: string, rows: TableRows, undo?: Undo) => Promise<Inserted>;

/**
 * `announceKnown`: rows that were stored already are worked out again too. A backfill needs it: what it repeats after
 * a crash may have been stored and not worked out.
 */
export function createWrite(options: {
  readonly store: Store;
  readonly deriver: Pick<Deriver, "begin" | "leaving">;
  readonly metrics: IngestMetrics;
  /** Waits until this process may write; throws where it may no longer. */
  readonly sure?: (() => Promise<void>) | undefined;
  readonly announceKnown: boolean;
  /** Is told of rows once they are stored: some may have been refused before. */
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
      left.push(...(inserted.replacedAt ?? []).map((moment) => ({ [table.keyRange ?? ""]: moment })));
      announce(announceKnown || inserted.stored > 0 || left.length > 0 ? rows.rows : [], left);
      await reread?.(stream, rows);
      return inserted;
    } catch (error) {
      // Part of it may be stored.
      announce(rows.rows, left);
      throw error;
    }
  };
}

/** `left` gets moments (as rows) of what is about to be taken away, and whom it belongs to. */
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
      left.push(...momentsOf(table, taken), ...(await deriver.leaving(table, taken)));
      await undo.begin(allOf, taken);
    },
  });
}

const STEP_SECONDS = 60;

/** A moment of each minute between the first and the last row taken: a few blocks are a few minutes at most. */
function momentsOf({ keyRange = "" }: TableDefinition, { since, until }: Taken): InsertRow[] {
  const [from, to] = [rowMoment(since), rowMoment(until)];
  const count = Math.floor((to - from) / STEP_SECONDS) + 1;
  const stepped = Array.from({ length: count }, (_, index) => ({ [keyRange]: from + index * STEP_SECONDS }));
  return [...stepped, { [keyRange]: to }];
}
