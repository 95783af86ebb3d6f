import { defineRefresh, type RefreshStore, type RefreshTurn } from "../../definition/refresh.ts";
import { slicesOf } from "../../definition/slices.ts";
import { type Sql, bind, sql } from "../../definition/sql.ts";
import { eachInTurn } from "../../definition/in-turn.ts";
import { bookEvents } from "../../tables/book-events.ts";
import { marketSnapshots } from "../../tables/market-snapshots.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { tokenHours } from "../../tables/token-hours.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { booksOf } from "./books-sql.ts";
import { chooseMarkets, momentOf } from "./choose-markets.ts";
import { marketBatch, type MarketBatch } from "./market-batch.ts";
import { marketRow } from "./market-row.ts";
import { dayOf } from "../../definition/day-of.ts";
import { walletPairDays } from "../../tables/wallet-pair-days.ts";
import { patternsAsOf } from "../wallet-patterns-sql.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { copyOf } from "../../definition/table.ts";
import { CATALOGUE_IS_FINAL } from "../catalogue-is-final.ts";
import { tokenDays } from "../../tables/token-days.ts";

/** So many shares and more count as held. */
const LEAST_SHARES = bind("Decimal64(6)", "0.01");
const byToken = copyOf(walletTokenDays, "wallet_token_days_by_token");

/**
 * Who holds and who gained, from the wallets' days by token. A wallet's profit in an outcome is what it realised less
 * fees, and what it holds at the token's last mark less its cost (without a mark: at its cost). Resolved shares were
 * realised at their payout and are open no more.
 */
function holdersOf({ tokens, tokenIds }: MarketBatch): Sql {
  const marks = sql`(SELECT token_id, argMax(mark, day) AS last_mark FROM ${tokenDays} FINAL WHERE ${tokenIds} GROUP BY token_id)`;
  const held = sql`SELECT token_id, wallet, argMax((shares, cost_usd, payout), day) AS held, sum(realized_usd - fee_usd) AS realized FROM ${byToken} FINAL WHERE ${tokenIds} AND NOT is_gone GROUP BY token_id, wallet`;
  const value = sql`toDecimal128(round(toDecimal128(held.1, 6) * assumeNotNull(m.last_mark), 6), 6)`;
  const positions = sql`SELECT condition_id, is_yes, wallet, if(isNull(held.3), held.1, toDecimal64(0, 6)) AS shares, toDecimal128(realized, 6) + if(isNull(m.last_mark) OR isNotNull(held.3), toDecimal128(0, 6), ${value} - held.2) AS pnl
FROM (${held}) AS h INNER JOIN ${tokens} AS t USING (token_id) LEFT JOIN ${marks} AS m USING (token_id)`;
  const wallets = sql`SELECT condition_id, wallet, sum(shares) AS open, sumIf(shares, is_yes) AS yes_shares, sum(pnl) AS total, sumIf(pnl, is_yes) AS yes_pnl, sumIf(pnl, NOT is_yes) AS no_pnl, max(is_yes) AS had_yes, max(NOT is_yes) AS had_no
FROM (${positions}) GROUP BY condition_id, wallet`;
  return sql`SELECT concat('0x', lower(hex(condition_id))) AS id, toUInt32(length(opens)) AS holders,
  arrayReverseSort(groupArrayIf(toFloat64(open), open >= ${LEAST_SHARES})) AS opens, arraySum(opens) AS whole,
  toString(round(sum(open) / 2, 6)) AS open_interest,
  if(whole = 0, NULL, opens[1] / whole) AS top1_share, if(whole = 0, NULL, arraySum(arraySlice(opens, 1, 3)) / whole) AS top3_share,
  if(whole = 0, NULL, arraySum(arraySlice(opens, 1, 10)) / whole) AS top10_share, if(whole = 0, NULL, arraySum(one -> pow(one / whole, 2), opens)) AS hhi,
  if(countIf(had_yes) = 0, NULL, toString(sum(yes_pnl) / countIf(had_yes))) AS yes_avg_pnl, if(countIf(had_no) = 0, NULL, toString(sum(no_pnl) / countIf(had_no))) AS no_avg_pnl,
  toString(sum(total)) AS net_pnl, if(sumIf(total, total < 0) = 0, NULL, -toFloat64(sumIf(total, total > 0)) / toFloat64(sumIf(total, total < 0))) AS profit_loss_ratio
FROM (${wallets}) GROUP BY condition_id SETTINGS join_use_nulls = 1`;
}

const ISO = sql`'%Y-%m-%dT%H:%i:%SZ'`;

/** What the catalogue says of the markets, with the payout of outcome 0: the chain's where there is one, else the catalogue's once that is final. */
function catalogueOf({ conditions }: MarketBatch): Sql {
  const resolutions = copyOf(polymarketResolutions, "polymarket_resolutions_by_condition");
  return sql`SELECT concat('0x', lower(hex(condition_id))) AS id, slug, question, formatDateTime(end_date, ${ISO}, 'UTC') AS end_date, toString(start_date) AS created_at, toString(updated_at) AS updated_at,
  active AND NOT closed AS market_active, closed AS market_closed, toUnixTimestamp(start_date) AS listed,
  toString(coalesce(r.payout, if(${CATALOGUE_IS_FINAL}, payout_a, NULL))) AS payout, toUnixTimestamp(coalesce(closed_date, r.at)) AS ended
FROM ${polymarketMarkets} FINAL
LEFT JOIN (SELECT condition_id, toNullable(argMax(payouts[1], ts)) AS payout, toNullable(max(ts)) AS at FROM ${resolutions} WHERE ${conditions} GROUP BY condition_id) AS r USING (condition_id)
WHERE ${conditions} SETTINGS join_use_nulls = 1`;
}

/** Rank of each active market by resting liquidity, 0–100; equal ones share the lowest rank of theirs. */
const liquidityRanks: Sql = sql`SELECT concat('0x', lower(hex(condition_id))) AS id, 100 * (place - 1) / greatest(1, of - 1) AS percentile
FROM (SELECT condition_id, rank() OVER (ORDER BY liquidity) AS place, count() OVER () AS of FROM ${polymarketMarkets} FINAL WHERE active AND NOT closed)`;

const HOUR_MS = 3_600_000;

/** Volume, trades, traders and how much the price moved, in the running hour and the 167 before it. */
function hoursOf({ tokens, tokenIds }: MarketBatch, now: number): Sql {
  const running = Math.floor(now / HOUR_MS) * HOUR_MS;
  const since = momentOf(running - 167 * HOUR_MS);
  const dayAgo = momentOf(running - 23 * HOUR_MS);
  const hours = sql`SELECT condition_id, hour, sum(volume_usd) AS volume, sum(trade_count) AS trades, groupUniqArrayArray(wallets) AS who, anyIf(close, is_yes AND isNotNull(close)) AS yes_close
FROM ${tokenHours} FINAL INNER JOIN ${tokens} AS t USING (token_id)
WHERE ${tokenIds} AND hour >= ${since} AND hour <= ${momentOf(now)} GROUP BY condition_id, hour`;
  const changes = sql`arrayPopFront(arrayDifference(arrayMap(each -> toFloat64(each.2), arraySort(groupArrayIf((hour, assumeNotNull(yes_close)), isNotNull(yes_close))))))`;
  return sql`SELECT concat('0x', lower(hex(condition_id))) AS id, toString(sumIf(volume, hour >= ${dayAgo})) AS volume_24h, toString(sum(volume)) AS volume_7d,
  toUInt32(sum(trades)) AS trades_7d, toUInt32(max(trades)) AS peak_hour_trades, toUInt32(uniqExactArray(who)) AS unique_traders_7d,
  ${changes} AS changes, if(length(changes) < 3, NULL, arrayReduce('stddevPop', changes)) AS price_volatility
FROM (${hours}) GROUP BY condition_id`;
}

/** From this score on a wallet's matches within its cluster are taken for wash volume. */
const IS_WASH = bind("Float64", 50);

/** Market → notional matched between wallets that both show the wash pattern, over the seven UTC days up to `now`. */
function washOf(now: number): Sql {
  const today = bind("Date", dayOf(now / 1000));
  const washers = sql`(SELECT wallet FROM ${patternsAsOf(today)} WHERE wash_score >= ${IS_WASH})`;
  return sql`SELECT concat('0x', lower(hex(condition_id))) AS id, toString(sum(usd)) AS usd FROM ${walletPairDays} FINAL
WHERE day > subtractDays(${today}, 7) AND day <= ${today} AND kind = 'match' AND NOT is_gone AND wallet_a IN ${washers} AND wallet_b IN ${washers} GROUP BY condition_id`;
}

/** Markets of one round of statements; a bound list may hold 128 KiB. */
const MARKETS_A_BATCH = 1500;

type Found = Readonly<Record<string, unknown>> & { readonly id: string };

/** What is worked out over all markets at once. */
type Known = { readonly percentiles: ReadonlyMap<string, number>; readonly wash: ReadonlyMap<string, string> };

/** Catalogue, hours, holdings, books and resolutions → the newest figures of every market. */
export const marketSnapshotsRefresh = defineRefresh({
  name: "market-snapshots",
  title: "Newest figures of markets",
  from: [polymarketMarkets, tokenHours, walletTokenDays, walletPatterns, bookEvents],
  into: marketSnapshots,
  everySeconds: 300,
  wholeEverySeconds: 3600,
  refresh: async (store, turn) => {
    const chosen = (await store.rows<Found>(chooseMarkets(turn))).map(({ id }) => id);
    if (chosen.length === 0) return 0;
    const ranks = await store.rows<{ id: string; percentile: number }>(liquidityRanks);
    const percentiles = new Map(ranks.map(({ id, percentile }) => [id, Number(percentile)]));
    const wash = await store.rows<{ id: string; usd: string }>(washOf(turn.now));
    const known: Known = { percentiles, wash: new Map(wash.map(({ id, usd }) => [id, usd])) };
    await eachInTurn(slicesOf(chosen, MARKETS_A_BATCH), turn.inTurn, async (ids) => {
      turn.signal.throwIfAborted();
      await workOut(store, turn, ids, known);
    });
    return chosen.length;
  },
});

async function workOut(
  store: RefreshStore,
  { now }: RefreshTurn,
  ids: readonly string[],
  { percentiles, wash }: Known,
): Promise<void> {
  const batch = marketBatch(ids);
  const read = async (statement: Sql): Promise<Map<string, Found>> =>
    new Map((await store.rows<Found>(statement)).map((row) => [row.id, row]));
  const catalogue = await read(catalogueOf(batch));
  const hours = await read(hoursOf(batch, now));
  const books = await read(booksOf(batch, now));
  const holders = await read(holdersOf(batch));
  const resolved = [...catalogue.values()].flatMap(toResolved);
  const briers = resolved.length === 0 ? new Map<string, Found>() : await read(brierOf(resolved));
  const rows = [...catalogue.values()].map((one) =>
    marketRow(
      {
        catalogue: one,
        hours: hours.get(one.id),
        book: books.get(one.id),
        holders: holders.get(one.id),
        brier: briers.get(one.id),
        percentile: percentiles.get(one.id),
        washUsd: wash.get(one.id),
      },
      now,
    ),
  );
  await store.insert(marketSnapshots, rows);
}

function toResolved({ id, payout, ended }: Found): Resolved[] {
  if (payout === null || payout === undefined || ended === null || ended === undefined) return [];
  return [{ id, payout: Number(payout), ended: Number(ended) }];
}

type Resolved = { readonly id: string; readonly payout: number; readonly ended: number };

/** Mean squared distance of outcome 0's price from its payout over all minutes with a trade before trading ended. */
function brierOf(resolved: readonly Resolved[]): Sql {
  const ids = bind(
    "Array(String)",
    resolved.map(({ id }) => id),
  );
  const payouts = bind(
    "Array(Float64)",
    resolved.map(({ payout }) => payout),
  );
  const ends = bind(
    "Array(UInt32)",
    resolved.map(({ ended }) => ended),
  );
  const known = sql`(SELECT toFixedString(unhex(substring(one.1, 3)), 32) AS condition_id, one.2 AS payout, toDateTime(one.3, 'UTC') AS ended FROM (SELECT arrayJoin(arrayZip(${ids}, ${payouts}, ${ends})) AS one))`;
  const tokens = sql`(SELECT side_a_token_id AS token_id, condition_id, payout, ended FROM ${polymarketMarkets} FINAL INNER JOIN ${known} AS k USING (condition_id) WHERE condition_id IN (SELECT condition_id FROM ${known}))`;
  return sql`SELECT concat('0x', lower(hex(condition_id))) AS id, avg(pow(toFloat64(close) - payout, 2)) AS brier_to_date
FROM ${polymarketCandles} FINAL INNER JOIN ${tokens} AS t USING (token_id)
WHERE token_id IN (SELECT token_id FROM ${tokens}) AND minute < ended GROUP BY condition_id`;
}
