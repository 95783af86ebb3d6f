import { copyOf } from "../../definition/table.ts";
import { joined, sql, type Sql, fromDefinition } from "../../definition/sql.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";
import { walletScores } from "../../tables/wallet-scores.ts";
import { incomeSumsSql } from "../income/income-sums-sql.ts";
import { inNewestPool } from "../wallet-score/newest-pool-sql.ts";
import { withCurveSql } from "./curve-sql.ts";
import { walletFiguresSql } from "./figures-sql.ts";
import { walletMarketsSql } from "./markets-sql.ts";
import { unrealizedSql } from "./positions-sql.ts";
import { ofWallets, type WalletWindow, firstDayOf } from "./wallet-window.ts";
import { walletEntries } from "../../tables/wallet-entries.ts";
import { withColumns, type Layer } from "./with-columns.ts";

const OF_EVENT =
  "toFloat64(sum(shares * toDecimal128(payout, 6) - bought_usd) / sum(shares)) AS edge, sum(clv_sum) AS clv_gain, sum(clv_entries) AS timed, countIf(clv_entries > 0) AS timed_tokens, countIf(clv_sum > 0) AS hits, sumIf(clv_entries, clv_sum >= 0.2 * clv_entries AND clv_entries > 0) AS large_gains, sum(greatest(clv_sum, 0)) AS won, sum(abs(clv_sum)) AS swung";

const SUMS = ["clv_gain", "timed", "timed_tokens", "hits", "large_gains", "won", "swung"]
  .map((column) => `sum(e.${column}) AS ${column}`)
  .join(", ");

/** SQL over one wallet's sums and `edges`, its events' mean of payout − price. */
const LAYERS: readonly Layer[] = [
  { others: "arrayMap(one -> (arraySum(edges) - one) / greatest(length(edges) - 1, 1), edges)" },
  {
    edge: "if(empty(edges), NULL, arrayAvg(edges))",
    edge_margin: "if(length(edges) < 2, NULL, 1.96 * arrayReduce('stddevSampStable', edges) / sqrt(length(edges)))",
    brier_advantage:
      "if(length(edges) < 2, NULL, arrayAvg(arrayMap((one, other) -> 2 * one * other - other * other, edges, others)))",
    clv: "toFloat64(clv_gain) / nullIf(timed, 0)",
    timing_hit_rate: "hits / nullIf(timed_tokens, 0)",
    timing_z: "if(timed_tokens < 10, NULL, (hits - timed_tokens / 2) / sqrt(timed_tokens / 4))",
    timing_score: "if(timed_tokens < 5, NULL, toFloat64(won) / nullIf(toFloat64(swung), 0))",
  },
];

/**
 * How well wallets bought what was resolved within a window (see wallet_entries), one row a wallet.
 * edge: mean over events of (payout − price), share by share; edge_margin its 95 % margin. brier_advantage: how much
 * smaller the squared error of the prices paid gets when each is moved by the mean edge of the wallet's other events.
 * clv: mean of (closing price − price) over the `timed` entries; timing_*: of how many tokens the close was above the
 * prices paid. Null where nothing tells.
 */
function walletEntriesSql(window: WalletWindow): Sql {
  const where = joined(
    [ofWallets(window), sql`day >= ${firstDayOf(window)}`, sql`day <= ${window.asOf}`, sql`NOT is_gone AND shares > 0`],
    sql` AND `,
  );
  const rows = sql`(SELECT * FROM ${copyOf(walletEntries, "wallet_entries_by_wallet")} FINAL WHERE ${where})`;
  const events = sql`(SELECT wallet, event_key, ${fromDefinition(OF_EVENT)} FROM ${rows} GROUP BY wallet, event_key)`;
  const sums = sql`(SELECT e.wallet AS wallet, groupArray(e.edge) AS edges, ${fromDefinition(SUMS)} FROM ${events} AS e GROUP BY e.wallet)`;
  return withColumns(sums, ...LAYERS);
}

/** The newest patterns of the thirty days up to a day. */
const patterns = (window: WalletWindow): Sql =>
  sql`(SELECT wallet, toNullable(argMaxIf(score, day, pattern = 'sybil')) AS sybil_score, toNullable(argMaxIf(cluster_size, day, pattern = 'sybil')) AS sybil_size, toNullable(argMaxIf(share, day, pattern = 'wash')) AS wash_share FROM ${copyOf(walletPatterns, "wallet_patterns_by_wallet")} FINAL WHERE ${joined([ofWallets(window), sql`day <= ${window.asOf}`, sql`day > ${window.asOf} - 30`, sql`NOT is_gone`], sql` AND `)} GROUP BY wallet)`;

/** The score as 584 ranks by it. */
const scores = (window: WalletWindow): Sql =>
  sql`(SELECT wallet, score AS wallet_score FROM ${walletScores} FINAL WHERE ${joined([inNewestPool(window.asOf, undefined), ofWallets(window)], sql` AND `)})`;

/** All that is worked out about some wallets over a window, one row a wallet known by its last day. */
export function walletProfileSql(window: WalletWindow): Sql {
  const { asOf, wallets } = window;
  const figures = withCurveSql(walletFiguresSql(window, "known"), asOf);
  return sql`(SELECT f.wallet AS wallet, f.* EXCEPT (wallet), m.* EXCEPT (wallet), e.* EXCEPT (wallet), coalesce(u.unrealized_usd, 0) AS unrealized_usd, coalesce(p.sybil_score, 0) AS sybil_score, coalesce(p.sybil_size, 0) AS sybil_size, coalesce(p.wash_share, 0) AS wash_share, s.wallet_score AS wallet_score, i.income_usd AS income_usd, i.income_checked_at AS income_checked_at FROM ${figures} AS f LEFT JOIN ${walletMarketsSql(window)} AS m USING (wallet) LEFT JOIN ${walletEntriesSql(window)} AS e USING (wallet) LEFT JOIN ${unrealizedSql({ asOf, wallets })} AS u USING (wallet) LEFT JOIN ${patterns(window)} AS p USING (wallet) LEFT JOIN ${scores(window)} AS s USING (wallet) LEFT JOIN ${incomeSumsSql(window)} AS i USING (wallet))`;
}
