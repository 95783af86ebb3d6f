import { fromDefinition, joined, sql, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { walletEntries } from "../../tables/wallet-entries.ts";
import { firstDayOf, ofWallets, type WalletWindow } from "./wallet-window.ts";
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
export function walletEntriesSql(window: WalletWindow): Sql {
  const where = joined(
    [ofWallets(window), sql`day >= ${firstDayOf(window)}`, sql`day <= ${window.asOf}`, sql`NOT is_gone AND shares > 0`],
    sql` AND `,
  );
  const rows = sql`(SELECT * FROM ${copyOf(walletEntries, "wallet_entries_by_wallet")} FINAL WHERE ${where})`;
  const events = sql`(SELECT wallet, event_key, ${fromDefinition(OF_EVENT)} FROM ${rows} GROUP BY wallet, event_key)`;
  const sums = sql`(SELECT e.wallet AS wallet, groupArray(e.edge) AS edges, ${fromDefinition(SUMS)} FROM ${events} AS e GROUP BY e.wallet)`;
  return withColumns(sums, ...LAYERS);
}
