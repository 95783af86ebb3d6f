import { iso, num, text, type Column } from "../../definition/column.ts";
import { figure } from "./figure-fields.ts";

const EDGE =
  "Mean over events of (payout − price paid), share by share, of all buys in markets resolved in the window.";

/** Our own fields, in addition to the recorded ones. */
export const ownFields: Readonly<Record<string, Column>> = {
  unrealized_pnl: num("USD").describe(
    "Σ shares × mark − cost of the shares held at the window's end, at the newest mid, else trade; shares without a mark count 0.",
  ),
  pnl_status: text().describe(
    "exact: method and cash identity agree; estimated: shares came from or went to other wallets, or left without having been held, a result is known only from the catalogue, or fees are unknown (see fees_usd); unreconciled: they differ by more than 0.01 + 0.0001 × events, excluding proceeds of shares that were never held.",
  ),
  pnl_residual_usd: num("USD").describe(
    "|realised − fees + value − cost − (Σ sold − Σ bought − fees + redeemed + merged − split + value)| from the first day on. Proceeds of shares that were never held are cash but not profit, so they are included.",
  ),
  fees_usd: num("USD").describe(
    "Fees of the window's fills; 0 where unknown: taker fills reported only by the Data API.",
  ),
  fees: num("USD").describe("The same as fees_usd, under the name used in other datasets."),
  edge: figure(`${EDGE} Null if nothing was resolved.`, "USD per share"),
  edge_low: figure("edge − 1.96 × sd over events / √events; null under two events.", "USD per share"),
  edge_high: figure("edge + 1.96 × sd over events / √events; null under two events.", "USD per share"),
  clv: figure(
    "Closing line value: mean of (closing price − price paid) over timed entries; null without one.",
    "USD per share",
  ),
  brier_advantage: figure(
    "Mean reduction over events of (price paid − payout)² when each price is moved by the wallet's mean edge in its other events; negative when its edge does not carry over. Null under two events.",
  ),
  wallet_score: figure(
    "Score of dataset 584 as of the window's end or the day before; null for an insufficient sample, and for a key without access to 584: the score, its rank (584) and its history (1006) come with one plan.",
    "0 to 100",
  ),
  maker_share: figure("Share of the notional of its fills in which it was the maker; null without a fill.", "0 to 1"),
  wash_volume_share: num("0 to 1").describe(
    "Share of its volume inside closed trading clusters (see pattern wash); 0 where none was found.",
  ),
  income_usd: num("USD").maybe(
    "Rewards, maker and taker rebates, referral rewards and yield credited in the window; not part of total_pnl. Known up to income_checked_at; null, not 0, for a wallet whose income was never fetched (only done for the largest wallets).",
  ),
  settled_pnl: num("USD").maybe("total_pnl + income_usd; null if income_usd is."),
  economic_pnl: num("USD").maybe("total_pnl + unrealized_pnl + income_usd; null if income_usd is."),
  income_checked_at: iso().maybe(
    "When the wallet's income was last fetched completely; later credits are in no figure. Null: never.",
  ),
  sharpe_probability: figure(
    "Probability that the true sharpe_ratio is above 0, from the window's daily returns; null under three of them or if all are equal.",
    "0 to 1",
  ),
  max_drawdown_usd: num("USD").maybe(
    "Largest drop of cumulative daily profit below its peak (at least 0), also for a wallet that only loses; null without a marked day.",
  ),
};
