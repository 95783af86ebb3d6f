import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * Sums over the days of a window that ends with a day that is over, one row a wallet: what boards rank by, so far as
 * sums of days tell it. A day's rows are good once its row of period `set` is there: its version says from which
 * version on rows of wallet_days are not in them.
 */
export const walletWindows = defineTable({
  name: "wallet_windows",
  about: "Sums of wallets over the windows that end with a day, which boards start from.",
  columns: {
    day: stored.day("Last UTC day of the window."),
    period: stored.choice(
      ["7", "15", "30", "90", "all", "set"],
      "Days of the window; `set` marks all of them as good.",
    ),
    wallet: stored.wallet("Wallet; zero in the row of period `set`."),
    buys: stored.count("Fills bought."),
    sells: stored.count("Fills sold."),
    events: stored.count("Fills and other events; 0 where the wallet only held, or is no more in the window."),
    wins: stored.count("Positions (wallet × condition) that ended with a profit."),
    losses: stored.count("Positions that ended with a loss."),
    invested_usd: stored.money("Notional bought, fees apart."),
    pnl_usd: stored.money("Realised profit by average cost, less fees."),
    return_days: stored.count("Days with a return (see walletFiguresSql)."),
    return_sum: stored.wide("Sum of the returns, in 1e-12."),
    return_squares: stored.wide("Sum of the squared returns, in 1e-24."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["day", "period", "wallet"],
  partitionBy: "day",
  key: ["day", "period", "wallet"],
  shardBy: "cityHash64(wallet)",
});
