import type { TableRows } from "../definition/connector.ts";
import type { Inserted, Store } from "../store/store.ts";
import type { Deriver } from "./derive.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";

/** Stores a stream's rows and has the derivations that read them run. */
export type Write = (stream: string, rows: TableRows) => Promise<Inserted>;

/**
 * `announceKnown`: rows that were stored already are worked out again too. A backfill needs it: what it repeats after
 * a crash may have been stored and not worked out.
 */
export function createWrite(options: {
  readonly store: Store;
  readonly deriver: Deriver;
  readonly metrics: IngestMetrics;
  readonly announceKnown: boolean;
}): Write {
  const { store, deriver, metrics, announceKnown } = options;
  return async (stream, { table, rows, mode }) => {
    if (rows.length === 0) return { stored: 0, known: 0 };
    const announce = deriver.begin(table);
    try {
      const inserted = await store.insert(table, rows, mode);
      metrics.rows.inc({ stream, table: table.name }, inserted.stored);
      metrics.known.inc({ stream, table: table.name }, inserted.known);
      const left = (inserted.replacedAt ?? []).map((moment) => ({ [table.keyRange ?? ""]: moment }));
      announce(announceKnown || inserted.stored > 0 || left.length > 0 ? [...rows, ...left] : []);
      return inserted;
    } catch (error) {
      // Part of it may be stored.
      announce(rows);
      throw error;
    }
  };
}
