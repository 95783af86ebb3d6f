import type { Served, ServedRow, ServedSearch } from "../definition/served-dataset.ts";
import type { Bound } from "../definition/sql.ts";
import { servedResolutions as table } from "../tables/served-resolutions.ts";

type Asked = Readonly<Partial<Record<"condition_id" | "start_time" | "end_time", Bound>>>;

const search = (p: Asked): ServedSearch => ({
  from: p.start_time,
  to: p.end_time,
  tests: [],
  ...(p.condition_id ? { by: { column: "condition_id", values: p.condition_id.value as readonly string[] } } : {}),
});

function winningIndex(row: ServedRow): string {
  const index = String(row.value("payouts")).split(",").indexOf("1");
  return index === -1 ? "null" : String(index);
}

/** Dataset 1105 from the resolutions as they are served; `order` is that of its query. */
export const resolutionsByKey: Omit<Served, "order"> = {
  table,
  fields: {
    timestamp: { column: "ts" },
    winning_index: { json: winningIndex },
    transaction_hash: { column: "tx_hash" },
  },
  search,
};
