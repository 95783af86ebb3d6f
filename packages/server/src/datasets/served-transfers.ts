import type { Served, ServedSearch } from "../definition/served-dataset.ts";
import type { Bound } from "../definition/sql.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { servedTransfers as table } from "../tables/served-transfers.ts";

type Asked = Readonly<Partial<Record<"proxy_wallet" | "token_id" | "start_time" | "end_time", Bound>>>;

const listed = (list: Bound): readonly string[] => list.value as readonly string[];

/** By either side where wallets are asked for, else by tokens, else by time. */
function search(p: Asked): ServedSearch {
  const range = { from: p.start_time, to: p.end_time };
  const tokens = p.token_id && { column: "token_id", values: listed(p.token_id) };
  if (p.proxy_wallet === undefined) return { ...range, tests: [], ...(tokens ? { by: tokens } : {}) };
  return {
    ...range,
    by: { column: "from_wallet", orColumn: "to_wallet", values: listed(p.proxy_wallet) },
    tests: tokens ? [{ column: tokens.column, oneOf: tokens.values }] : [],
  };
}

/** Dataset 1106 from the transfers as they are served; `order` is that of its query. */
export const transfersByKey: Omit<Served, "order"> = {
  table,
  tokens: polymarketTokens,
  fields: {
    timestamp: { column: "ts" },
    condition_id: { ofToken: "condition_id" },
    slug: { ofToken: "slug" },
    outcome: { ofToken: "outcome" },
    size: { column: "shares" },
    transaction_hash: { column: "tx_hash" },
  },
  search,
};
