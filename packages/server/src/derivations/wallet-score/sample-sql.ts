import { idsSql } from "../../definition/filter.ts";
import { bind, fromDefinition, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { walletEntries } from "../../tables/wallet-entries.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { walletFiguresSql } from "../wallet-window/figures-sql.ts";
import { inWindow, PATTERN_DAYS, WINDOW_DAYS } from "./eligible-sql.ts";

const WALLET = fromDefinition("concat('0x', lower(hex(wallet))) AS address");
/** Columns of wallet_entries that are summed up over an event. */
export const SUMMED = [
  "entries",
  "edge_sum",
  "cost_sum",
  "variance_sum",
  "clv_entries",
  "clv_sum",
  "later_entries",
  "later_sum",
  "later_edge_sum",
  "later_cost_sum",
  "later_variance_sum",
  "bought_usd",
  "shares",
] as const;
const SUMS = fromDefinition(SUMMED.map((column) => `sum(${column}) AS ${column}`).join(", "));
const EVENT = fromDefinition("cityHash64(if(event_slug = '', toString(condition_id), event_slug))");
const MARKET = sql`(SELECT condition_id, category, ${EVENT} AS event_key FROM ${polymarketMarkets} FINAL)`;

/** What the samples of some wallets (0x-hex) are made of, each ordered by wallet, so that no sum hangs on the order of rows. */
export const sampleSql = (
  day: Bound,
  wallets: readonly string[],
): Record<"events" | "profits" | "days" | "patterns", Sql> => {
  const these = idsSql(wallets, 20);
  const asOf = sql`toDate(${day})`;
  return {
    events: sql`SELECT ${WALLET}, toString(event_key) AS event, category, ${SUMS} FROM ${walletEntries} FINAL WHERE ${inWindow(day)} AND wallet IN (${these}) GROUP BY wallet, event_key, category ORDER BY wallet, event_key, category`,
    profits: sql`SELECT ${WALLET}, toString(coalesce(nullIf(m.event_key, 0), cityHash64(toString(condition_id)))) AS event, ifNull(m.category, '') AS category, profit
FROM (SELECT wallet, condition_id, sum(realized_usd - fee_usd) AS profit FROM ${walletTokenDays} FINAL WHERE ${inWindow(day)} AND wallet IN (${these}) GROUP BY wallet, condition_id) AS p LEFT JOIN ${MARKET} AS m USING (condition_id) ORDER BY wallet, condition_id`,
    days: sql`SELECT ${WALLET}, arrayMap(one -> one.2, daily) AS profits, arrayMap(one -> one.3, daily) AS capitals FROM ${walletFiguresSql({ days: WINDOW_DAYS, asOf, among: these }, "holding")} ORDER BY wallet`,
    patterns: sql`SELECT ${WALLET}, toString(pattern) AS pattern, argMax(score, day) AS score FROM ${walletPatterns} FINAL WHERE day <= ${day} AND day > ${day} - ${bind("UInt16", PATTERN_DAYS)} AND NOT is_gone AND wallet IN (${these}) GROUP BY wallet, pattern ORDER BY wallet, pattern`,
  };
};
