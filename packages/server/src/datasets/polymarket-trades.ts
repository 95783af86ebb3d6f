import { hexId, id, int, iso, num, text, tokenId } from "../definition/column.ts";
import { defineDataset, type OrderKey } from "../definition/dataset.ts";
import { branchesOf, hexOf, isIn, storedAs, within } from "../definition/filter.ts";
import { choice, condition, decimal, leastOf, moment, slug, token, wallet, whole } from "../definition/param-kinds.ts";
import { orderKey } from "../definition/sorting.ts";
import { given, joined, name, sql, type Bound, type Named, type Sql } from "../definition/sql.ts";
import { copyOf } from "../definition/table.ts";
import { polymarketFills } from "../tables/polymarket-fills.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { lifetimesOfTokens } from "./lifetimes.ts";
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

const ofToken = (field: string) => sql`dictGet('polymarket_token_info', '${name(field)}', token_id)`;

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
    "Every filled order of Polymarket's exchanges, the maker's leg and the taker's leg of each match, newest first.",
  plan: "free",
  params: {
    proxy_wallet: wallet().list().describe("Owner of the order (proxy wallet)."),
    condition_id: condition().list().describe("Market."),
    token_id: token().list().describe("Outcome token."),
    market_slug: slug().list().alias("slug").describe("Slug of the market."),
    side: choice("BUY", "SELL").describe("Side of the order."),
    start_time: moment("start").describe("First moment, inclusive."),
    end_time: moment("end").describe("Last moment, inclusive."),
    min_size: leastOf(decimal(0, MAX)).describe("Least shares."),
    min_usd: leastOf(decimal(0, MAX)).describe("Least notional in USD."),
    role: choice("maker", "taker").describe("Whether the order rested or took."),
    lookback_seconds: whole(1, 1_000_000_000).describe(
      "Seconds before now, or before end_time, at which it begins; start_time goes before it.",
    ),
    window_days: whole(1, 10_000).describe("The same in days of 24 hours."),
  },
  row: {
    id: id().describe(
      "Names the fill for ever: transaction hash and order hash, joined by an underscore. Where the Data API told of the fill first the second part is a hash of what it tells, and stays that when the chain is read.",
    ),
    condition_id: id().maybe("Condition; null until the market of the token is known."),
    slug: text().maybe("Slug of the market; null until it is known."),
    outcome: text().maybe("Label of the outcome; null until it is known."),
    side: text().describe("BUY or SELL, of this order."),
    price: num("USD per share").describe("Notional over shares, 0 to 1."),
    size: num("shares").describe("Shares, not dollars; also those that V1 took of a buy as its fee."),
    proxy_wallet: hexId().describe("Owner of the order, lower case."),
    timestamp: iso().describe("Block time, to the second."),
    token_id: tokenId().describe("Outcome token."),
    transaction_hash: hexId().describe("Transaction."),
    order_hash: id().maybe("Hash of the filled order; null where the source does not tell."),
    usd: num("USD").describe("Notional, what the shares cost; a fee in USD is apart."),
    fee_usd: num("USD").describe(
      "Fee, paid by the taker; of a V1 buy the worth of the shares that were taken as the fee (a part of size and usd). 0 also where it is not known: of a fill that only the Data API told (block_number is null).",
    ),
    role: text().describe("maker, taker, or unknown where the source does not tell."),
    block_number: int().maybe("Block; null where the source does not tell."),
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
        condition_id: sql`nullIf(${ofToken("condition_id")}, '')`,
        slug: sql`nullIf(${ofToken("slug")}, '')`,
        outcome: sql`nullIf(${ofToken("outcome")}, '')`,
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
