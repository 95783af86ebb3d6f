import { sql } from "../../definition/sql.ts";

/**
 * Whether a wallet's books balance as of the last of its rows of wallet_days `d`, which are all up to then: profit
 * realised less fees equals payments out less payments in, plus holdings at cost. `latest.1` is the exact difference;
 * `imbalance` excludes proceeds of shares that were never held, which are cash but no profit: in correct books it is
 * only rounding.
 */
export const balanceSql = sql`sum(d.buys + d.sells + d.other_events) AS events_ever,
  argMax((d.realized_total_usd - d.fee_total_usd - d.open_cost_usd - d.cash_total_usd, d.is_estimated), d.day) AS latest,
  latest.1 + sum(d.unmatched_usd) AS imbalance,
  toFloat64(latest.1) AS residual_usd,
  multiIf(abs(toFloat64(imbalance)) > 0.01 + 0.0001 * events_ever, 'unreconciled', latest.2, 'estimated', 'exact') AS pnl_status`;
