import type { Served, ServedSearch } from "../definition/served-dataset.ts";
import type { Bound } from "../definition/sql.ts";
import { servedPrints as table } from "../tables/served-prints.ts";

type Asked = Readonly<Partial<Record<"token_id" | "side" | "start_time" | "end_time", Bound>>>;

const search = (p: Asked): ServedSearch => ({
  by: { column: "token_id", values: (p.token_id?.value ?? []) as readonly string[] },
  from: p.start_time,
  to: p.end_time,
  tests: p.side ? [{ column: "side", oneOf: [String(p.side.value)] }] : [],
});

/** Dataset 1103 from the prints as they are served; `order` is that of its query. */
export const servedTape: Omit<Served, "order"> = {
  table,
  fields: {
    timestamp: { column: "ts" },
    size: { column: "shares" },
    transaction_hash: { column: "tx_hash", nullIf: { column: "tx_hash", oneOf: [""] } },
    sequence: { column: "seq" },
  },
  search,
};
