import type { FoldReader } from "../../definition/fold.ts";
import type { Store } from "../../store/store.ts";

/**
 * What a fold reads is ours, in slices of known size: it may take longer than what a caller asks. A ledger is sorted as a
 * whole at less cost than its sources are merged row by row in their orders, which are coarser.
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
