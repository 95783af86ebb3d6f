import { hexId, id, int, iso, num, text, tokenId } from "../definition/column.ts";
import { defineDataset, type OrderKey } from "../definition/dataset.ts";
import { branchesOf, hexOf, isIn, storedAs, within } from "../definition/filter.ts";
import { choice, condition, decimal, minOf, dateTime, slug, token, wallet, whole } from "../definition/param-kinds.ts";
import { orderKey } from "../definition/sorting.ts";
import { given, joined, sql, type Bound, type Named, type Sql } from "../definition/sql.ts";
import { copyOf } from "../definition/table.ts";
import { polymarketFills } from "../tables/polymarket-fills.ts";
import { polymarketTokens, textOfToken } from "../tables/polymarket-tokens.ts";
import { lifetimesOfTokens } from "./named-markets.ts";
import { servedTrades } from "./served-trades.ts";

/** As `derivedOrderHash` computes it, from the fields every source has for a fill. */
const named = sql`arrayStringConcat(['almanac/polymarket/fill/1', ${hexOf(sql`tx_hash`)}, ${hexOf(sql`wallet`)}, toString(token_id), toString(side), toString(toInt64(toDecimal128(shares, 6) * 1000000)), toString(alike_number - 1)], '|')`;

/**
 * The public id of a row of polymarket_fills: its transaction and order hash. Where the Data API delivered the fill
 * first, the order hash was derived, and it stays part of the id after the chain is read.
 */
const fillId = sql`concat(${hexOf(sql`tx_hash`)}, '_', if(alike_number = 0, ${hexOf(sql`order_hash`)}, ${hexOf(sql`SHA256(${named})`)}))`;

const byWallet = copyOf(polymarketFills, "polymarket_fills_by_wallet");
const byToken = copyOf(polymarketFills, "polymarket_fills_by_token");
const MAX = 1_000_000_000;

const newestFirst: OrderKey[] = [
  orderKey(sql`ts`, "desc", "seconds", "timestamp"),
  orderKey(sql`tx_hash`, "desc", "hash", "transaction_hash"),
  {
    by: sql`order_hash`,
    direction: "desc",
    stored: storedAs.hash,
    // Rows without an order hash store the second part of the id instead.
    value: (row) => String(row["order_hash"] ?? String(row["id"]).split("_")[1]),
  },
];

/** Selects the table's sort order for the query, and the branches to read. */
function wayIn(wallets: Bound | undefined, tokens: Bound | undefined, market: Sql): { start: Named; branches?: Sql[] } {
  if (wallets) return { start: byWallet, branches: branchesOf("wallet", "wallet", wallets) };
  if (tokens) return { start: byToken, branches: branchesOf("token_id", "token", tokens) };
  if (market.text !== "") return { start: byToken };
  return { start: polymarketFills };
}

export const polymarketTrades = defineDataset({
  agentId: 556,
  name: "polymarket-trades",
  title: "Polymarket trades",
  summary:
    "Every order fill of Polymarket's exchanges, the maker's leg and the taker's leg of each match, newest first.",
  plan: "free",
  params: {
    proxy_wallet: wallet().list().describe("Owner of the order (proxy wallet)."),
    condition_id: condition().list().describe("Market."),
    token_id: token().list().describe("Outcome token."),
    market_slug: slug().list().alias("slug").describe("Slug of the market."),
    side: choice("BUY", "SELL").describe("Side of the order."),
    start_time: dateTime("start").describe("First timestamp, inclusive."),
    end_time: dateTime("end").describe("Last timestamp, inclusive."),
    min_size: minOf(decimal(0, MAX)).describe("Minimum shares."),
    min_usd: minOf(decimal(0, MAX)).describe("Minimum notional in USD."),
    role: choice("maker", "taker").describe("Whether the order was maker or taker."),
    lookback_seconds: whole(1, 1_000_000_000).describe(
      "Start of the range, in seconds before now or end_time; start_time takes precedence.",
    ),
    window_days: whole(1, 10_000).describe("The same in days of 24 hours."),
  },
  row: {
    id: id().describe(
      "Permanent id of the fill: transaction hash and order hash, joined by an underscore. If the Data API reported the fill first, the second part is a hash of its data, and stays so after the chain is read.",
    ),
    condition_id: id().maybe("Condition; null until the market of the token is known."),
    slug: text().maybe("Slug of the market; null until it is known."),
    outcome: text().maybe("Label of the outcome; null until it is known."),
    side: text().describe("Side of this order: BUY or SELL."),
    price: num("USD per share").describe("Notional / shares, 0 to 1."),
    size: num("shares").describe("Shares, not dollars; includes those V1 took from a buy as its fee."),
    proxy_wallet: hexId().describe("Owner of the order, lower case."),
    timestamp: iso().describe("Block time, to the second."),
    token_id: tokenId().describe("Outcome token."),
    transaction_hash: hexId().describe("Transaction."),
    order_hash: id().maybe("Hash of the filled order; null if the source does not report it."),
    usd: num("USD").describe("Notional: cost of the shares, excluding a fee in USD."),
    fee_usd: num("USD").describe(
      "Fee, paid by the taker; for a V1 buy, the value of the shares taken as the fee (part of size and usd). Also 0 where unknown: a fill reported only by the Data API (block_number is null).",
    ),
    role: text().describe("maker, taker, or unknown if the source does not report it."),
    block_number: int().maybe("Block; null if the source does not report it."),
  },
  neverNull: "texts",
  limit: { default: 100, max: 10_000 },
  order: "timestamp descending, then transaction_hash and order_hash descending",
  tables: [polymarketFills, polymarketTokens],
  range: {
    from: "start_time",
    to: "end_time",
    ago: { lookback_seconds: 1, window_days: 86_400 },
    goesBack: "always",
  },
  lifetimes: lifetimesOfTokens,
  query: (p) => {
    const market = [
      given(p.condition_id, (ids) => isIn("condition_id", "condition", ids)),
      given(p.market_slug, (slugs) => isIn("slug", "text", slugs)),
    ];
    const { start, branches } = wayIn(p.proxy_wallet, p.token_id, joined(market, sql` AND `));
    return {
      select: {
        id: fillId,
        condition_id: textOfToken("condition_id", sql`token_id`),
        slug: textOfToken("slug", sql`token_id`),
        outcome: textOfToken("outcome", sql`token_id`),
        // The quotient of whole millionths is the nearest float, so that 0.03 prints as 0.03.
        price: sql`if(shares = 0, 0, reinterpret(usd, 'Int64') / reinterpret(shares, 'Int64'))`,
        size: sql`shares`,
        proxy_wallet: sql`wallet`,
        timestamp: sql`ts`,
        transaction_hash: sql`tx_hash`,
        order_hash: sql`if(source IN ('data_api_v1', 'data_api_v2'), NULL, ${hexOf(sql`order_hash`)})`,
        block_number: sql`nullIf(block_number, 0)`,
      },
      from: sql`${start}`,
      where: [
        ...market
          .filter((part) => part.text !== "")
          .map((part) => sql`token_id IN (SELECT token_id FROM ${polymarketTokens} WHERE ${part})`),
        given(p.token_id, (ids) => isIn("token_id", "token", ids)),
        ...within(sql`ts`, p.start_time, p.end_time),
        given(p.side, (side) => sql`side = ${side}`),
        given(p.role, (role) => sql`role = ${role}`),
        given(p.min_size, (size) => sql`shares >= ${size}`),
        given(p.min_usd, (usd) => sql`usd >= ${usd}`),
      ],
      order: newestFirst,
      storedBy: (snapshot) => sql`ingested_at <= fromUnixTimestamp64Micro(${snapshot})`,
      ...(branches ? { branches } : {}),
    };
  },
  served: { ...servedTrades, order: newestFirst },
  notes: ["Both legs of a match are rows: filter role taker to count each match once."],
  related: [568, 1002, 1103],
  examples: [
    { title: "The newest trades", params: {} },
    { title: "A wallet's trades", params: { proxy_wallet: "<wallet>" } },
    {
      title: "Large buys of one market",
      params: { market_slug: "<traded_slug>", side: "BUY", min_usd: "1000" },
    },
  ],
});
