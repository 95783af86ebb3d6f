import type { Served, ServedRow, ServedSearch, ServedTest } from "../definition/served-dataset.ts";
import type { Bound } from "../definition/sql.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { servedPositionChanges as table } from "../tables/served-position-changes.ts";

type Asked = Readonly<
  Partial<Record<"proxy_wallet" | "condition_id" | "kind" | "is_inner" | "start_time" | "end_time", Bound>>
>;

const NO_ID = `0x${"0".repeat(64)}`;
const isConversion: ServedTest = { column: "kind", oneOf: ["conversion"] };

const listed = (list: Bound): readonly string[] => list.value as readonly string[];

/** As the query does: by wallets where these are asked for, else by conditions, else by time. */
function search(p: Asked): ServedSearch {
  const conditions = p.condition_id && { column: "condition_id", values: listed(p.condition_id) };
  const by = p.proxy_wallet ? { column: "wallet", values: listed(p.proxy_wallet) } : conditions;
  return {
    from: p.start_time,
    to: p.end_time,
    tests: [
      ...(conditions && by !== conditions ? [{ column: conditions.column, oneOf: conditions.values }] : []),
      ...(p.kind ? [{ column: "kind", oneOf: [String(p.kind.value)] }] : []),
      ...(p.is_inner ? [{ column: "is_inner", oneOf: [String(p.is_inner.value)] }] : []),
    ],
    ...(by ? { by } : {}),
  };
}

/** The tokens with their changes as JSON; shares as a number or, as text, in quotes. */
function tokensOf(row: ServedRow, quote: "" | '"'): string {
  const [ids, deltas] = ["token_ids", "token_deltas"].map((column) => String(row.value(column)).split(","));
  if (ids === undefined || deltas === undefined || ids[0] === "") return "[]";
  const items = ids.map((id, index) => `{"token_id":"${id}","shares":${quote}${deltas[index]}${quote}}`);
  return `[${items.join(",")}]`;
}

/** Dataset 1104 from the changes as they are served; `order` is that of its query. */
export const servedActivity: Omit<Served, "order"> = {
  table,
  tokens: polymarketTokens,
  withoutToken: isConversion,
  fields: {
    timestamp: { column: "ts" },
    proxy_wallet: { column: "wallet" },
    condition_id: { column: "condition_id", nullIf: { column: "condition_id", oneOf: [NO_ID] } },
    slug: { ofToken: "slug" },
    neg_risk_market_id: { column: "market_id", nullIf: { column: "market_id", oneOf: [NO_ID] } },
    index_set: { column: "index_set", nullIf: { column: "index_set", oneOf: ["0"] } },
    usd: { column: "usd_delta" },
    tokens: {
      raw: { json: (row) => JSON.stringify(tokensOf(row, '"')) },
      typed: { json: (row) => tokensOf(row, "") },
    },
    transaction_hash: { column: "tx_hash" },
  },
  search,
};
