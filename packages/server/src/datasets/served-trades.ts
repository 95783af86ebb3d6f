import { derivedOrderHash } from "../definition/derived-order-hash.ts";
import type { Served, ServedRow, ServedSearch, ServedTest, TokensOf } from "../definition/served-dataset.ts";
import type { Bound } from "../definition/sql.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { servedFills } from "../tables/served-fills.ts";

type Requested = Readonly<
  Partial<
    Record<
      | "proxy_wallet"
      | "condition_id"
      | "token_id"
      | "market_slug"
      | "side"
      | "role"
      | "min_size"
      | "min_usd"
      | "start_time"
      | "end_time",
      Bound
    >
  >
>;

const listed = (list: Bound): readonly string[] => list.value as readonly string[];

/** The tokens that match all requested ids, conditions and slugs; undefined where none is requested. */
async function tokensRequested(p: Requested, tokensOf: TokensOf): Promise<readonly string[] | undefined> {
  const lists = [
    ...(p.token_id ? [listed(p.token_id)] : []),
    ...(p.condition_id ? [await tokensOf("condition_id", "condition", p.condition_id)] : []),
    ...(p.market_slug ? [await tokensOf("slug", "text", p.market_slug)] : []),
  ];
  const [first, ...others] = lists;
  return first?.filter((token) => others.every((list) => list.includes(token)));
}

async function search(p: Requested, tokensOf: TokensOf): Promise<ServedSearch> {
  const tokens = await tokensRequested(p, tokensOf);
  const range = { from: p.start_time, to: p.end_time };
  const tests: ServedTest[] = [
    ...(p.side ? [{ column: "side", oneOf: [String(p.side.value)] }] : []),
    ...(p.role ? [{ column: "role", oneOf: [String(p.role.value)] }] : []),
    ...(p.min_size ? [{ column: "shares", least: String(p.min_size.value) }] : []),
    ...(p.min_usd ? [{ column: "usd", least: String(p.min_usd.value) }] : []),
  ];
  if (p.proxy_wallet && tokens?.length !== 0) {
    const ofTokens = tokens ? [{ column: "token_id", oneOf: tokens }] : [];
    return { ...range, by: { column: "wallet", values: listed(p.proxy_wallet) }, tests: [...ofTokens, ...tests] };
  }
  return { ...range, tests, ...(tokens ? { by: { column: "token_id", values: tokens } } : {}) };
}

/** The derived order hash in the id of a fill that the Data API delivered first and the chain has confirmed since. */
function firstHash(row: ServedRow): string {
  return derivedOrderHash({
    tx_hash: String(row.value("tx_hash")),
    wallet: String(row.value("wallet")),
    token_id: String(row.value("token_id")),
    side: row.value("side") === "BUY" ? "BUY" : "SELL",
    sharesMicro: BigInt(row.micros("shares")),
    occurrence: Number(row.value("alike_number")) - 1,
  });
}

/** Dataset 556 from the fills of the serving index; `order` is that of its query. */
export const servedTrades: Omit<Served, "order"> = {
  table: servedFills,
  tokens: polymarketTokens,
  fields: {
    id: {
      pair: ["tx_hash", "order_hash"],
      instead: { where: { column: "alike_number", least: "1" }, hex: firstHash },
    },
    condition_id: { ofToken: "condition_id" },
    slug: { ofToken: "slug" },
    outcome: { ofToken: "outcome" },
    price: { ratio: ["usd", "shares"] },
    size: { column: "shares" },
    proxy_wallet: { column: "wallet" },
    timestamp: { column: "ts" },
    transaction_hash: { column: "tx_hash" },
    order_hash: { column: "order_hash", nullIf: { column: "source", oneOf: ["data_api_v1", "data_api_v2"] } },
    block_number: { column: "block_number", nullIf: { column: "block_number", oneOf: ["0"] } },
  },
  search,
};
