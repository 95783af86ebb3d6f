import { fromDefinition, joined, sql, type Named, type Sql } from "../../definition/sql.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { walletConditionDays } from "../../tables/wallet-condition-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { firstDayOf, ofWallets, type WalletWindow } from "./wallet-window.ts";
import { withColumns, type Layer } from "./with-columns.ts";

/** SQL over one wallet's `markets`: (condition, profit, bought, fills). */
const LAYERS: readonly Layer[] = [
  {
    stakes: "arrayFilter(stake -> stake > 0, arrayMap(one -> toFloat64(one.3), markets))",
    by_weight: "arraySort(one -> (-abs(one.2), one.1), arrayFilter(one -> one.2 != 0, markets))",
    moved_usd: "toFloat64(arraySum(one -> abs(one.2), markets))",
    category_moves: "arrayFilter(one -> one > 0, arrayMap(one -> toFloat64(abs(one)), finest.2))",
  },
  {
    markets_traded: "arrayCount(one -> one.4 > 0, markets)",
    stake_sd: "if(length(stakes) < 2, NULL, arrayReduce('stddevSampStable', stakes))",
    stake_mean: "if(empty(stakes), NULL, arrayAvg(stakes))",
    stake_max_share: "if(empty(stakes), NULL, arrayMax(stakes) / arraySum(stakes))",
    best_market_pnl: "if(empty(markets), NULL, arrayMax(one -> one.2, markets))",
    worst_market_pnl: "if(empty(markets), NULL, arrayMin(one -> one.2, markets))",
    dominant_id: "if(empty(by_weight), NULL, concat('0x', lower(hex(by_weight[1].1))))",
    dominant_pnl: "if(empty(by_weight), NULL, by_weight[1].2)",
    concentration: "if(empty(by_weight), NULL, toFloat64(abs(by_weight[1].2)) / moved_usd)",
    category_entropy:
      "if(empty(category_moves), NULL, greatest(0., log2(arraySum(category_moves)) - arraySum(one -> one * log2(one), category_moves) / arraySum(category_moves)))",
  },
];

const CATEGORY =
  "Tuple(roi Nullable(Float64), category String, win_rate Nullable(Float64), total_pnl Decimal(38, 6), total_trades UInt64, losing_trades UInt64, total_invested Decimal(38, 6), winning_trades UInt64, total_buy_trades UInt64, total_sell_trades UInt64)";
const asCategory = `CAST((round(toFloat64(pnl) * 100 / nullIf(toFloat64(invested), 0), 4), name, round(won / nullIf(won + lost, 0), 4), pnl, bought + sold, lost, invested, won, bought, sold), '${CATEGORY}')`;
const categories = `arraySort(one -> (-one.total_pnl, one.category), arrayMap((name, pnl, invested, bought, sold, won, lost) -> ${asCategory}, by_category.1, by_category.2, by_category.3, by_category.4, by_category.5, by_category.6, by_category.7))`;

/** A path "A / B / C" as "A", "A / B", "A / B / C". */
const paths =
  "arrayMap(depth -> arrayStringConcat(arraySlice(splitByString(' / ', path), 1, depth), ' / '), range(1, length(splitByString(' / ', path)) + 1))";
const repeated = ["pnl_usd", "invested_usd", "buys", "sells", "wins", "losses"].map(
  (column) => `arrayWithConstant(length(paths), m.${column})`,
);

/** What wallets did in each market (condition) within a window: wallet, condition_id, and the sums that count. */
function marketRowsSql(window: WalletWindow): Sql {
  const inside = (table: Named): Sql =>
    sql`${table} FINAL WHERE ${joined([ofWallets(window), sql`day >= ${firstDayOf(window)}`, sql`day <= ${window.asOf}`, sql`NOT is_gone`], sql` AND `)}`;
  const done = sql`SELECT wallet, condition_id, realized_usd - fee_usd AS pnl, bought_usd AS bought, buys AS b, sells AS s, toUInt32(0) AS w, toUInt32(0) AS l, toDecimal64(0, 6) AS gained, toDecimal64(0, 6) AS lost FROM ${inside(walletTokenDays)}`;
  const ended = sql`SELECT wallet, condition_id, toDecimal64(0, 6), toDecimal64(0, 6), toUInt32(0), toUInt32(0), wins, losses, gained_usd, gained_usd - pnl_usd FROM ${inside(walletConditionDays)}`;
  const known = sql`(SELECT condition_id, category FROM ${polymarketMarkets} FINAL WHERE condition_id IN (SELECT condition_id FROM ${inside(walletTokenDays)}))`;
  const sums = sql`(SELECT wallet, condition_id, sum(pnl) AS pnl_usd, sum(bought) AS invested_usd, sum(b) AS buys, sum(s) AS sells, sum(w) AS wins, sum(l) AS losses, sum(gained) AS gained_usd, sum(lost) AS lost_usd FROM (${done} UNION ALL ${ended}) GROUP BY wallet, condition_id)`;
  return sql`(SELECT sums.*, if(coalesce(known.category, '') = '', 'Other', known.category) AS path, ${fromDefinition(paths)} AS paths FROM ${sums} AS sums LEFT JOIN ${known} AS known USING (condition_id))`;
}

/**
 * Wallets' markets and categories over a window, one row a wallet: markets_traded, stake_sd, stake_mean and
 * stake_max_share (bought notional by market), best_market_pnl, worst_market_pnl, dominant_id and dominant_pnl (by
 * absolute profit), concentration (its share of all absolute profit), category_entropy (bits, by finest category),
 * gained_usd and lost_usd of positions that ended, categories (array of named tuples, best first).
 */
export function walletMarketsSql(window: WalletWindow): Sql {
  const grouped = sql`(SELECT m.wallet AS wallet, groupArray((m.condition_id, m.pnl_usd, m.invested_usd, m.buys + m.sells)) AS markets, sum(m.gained_usd) AS gained_usd, sum(m.lost_usd) AS lost_usd, sumMap([m.path], [m.pnl_usd]) AS finest, sumMap(m.paths, ${fromDefinition(repeated.join(", "))}) AS by_category FROM ${marketRowsSql(window)} AS m GROUP BY m.wallet)`;
  return withColumns(grouped, ...LAYERS, { categories });
}
