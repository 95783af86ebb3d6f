import type { FoldReader } from "../../definition/fold.ts";
import type { Store } from "../../store/store.ts";

/**
 * A fold reads in slices of known size, so it may take longer than a client's query. Sorting a ledger entirely costs
 * less than merging its sources row by row in their coarser orders.
 */
const SETTINGS = {
  max_execution_time: 600,
  max_threads: 2,
  max_result_bytes: 2_000_000_000,
  optimize_read_in_order: 0,
};

export function foldReader(store: Pick<Store, "read" | "rows">): FoldReader {
  return {
    rows: (statement) => store.rows(statement, { settings: SETTINGS }),
    memory: new Map(),
    bytes: (statement, format) => store.read(statement, { format, settings: SETTINGS }),
  };
}
