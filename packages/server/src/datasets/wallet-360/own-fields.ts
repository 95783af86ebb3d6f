import { iso, num, text, type Column } from "../../definition/column.ts";
import { figure } from "./figure.ts";

const EDGE =
  "Mean over events of (payout − price paid), share by share, of all that was bought in markets resolved in the window.";

/** Our own fields, in addition to the recorded ones. */
export const ownFields: Readonly<Record<string, Column>> = {
  unrealized_pnl: num("USD").describe(
    "Σ shares × mark − cost of what is held at the window's end, at the newest mid, else trade; what has no mark counts 0.",
  ),
  pnl_status: text().describe(
    "exact: method and cash identity agree; estimated: shares came from or went to other wallets, or left without having been held, a result is known from the catalogue alone, or fees are not known (see fees_usd); unreconciled: they differ by more than 0.01 + 0.0001 × events, what was got for shares that were never held apart.",
  ),
  pnl_residual_usd: num("USD").describe(
    "|realised − fees + value − cost − (Σ sold − Σ bought − fees + redeemed + merged − split + value)| from the first day on. What was got for shares that were never held is cash and no profit, so it is in it.",
  ),
  fees_usd: num("USD").describe(
    "Fees of the window's fills; 0 where they are not known: of takers' fills that the Data API alone told.",
  ),
  fees: num("USD").describe("The same as fees_usd, by the name that other datasets have for it."),
  edge: figure(`${EDGE} Null where nothing was resolved.`, "USD per share"),
  edge_low: figure("edge − 1.96 × sd over events / √events; null under two events.", "USD per share"),
  edge_high: figure("edge + 1.96 × sd over events / √events; null under two events.", "USD per share"),
  clv: figure(
    "Closing line value: mean of (closing price − price paid) over timed entries; null without one.",
    "USD per share",
  ),
  brier_advantage: figure(
    "By how much (price paid − payout)² becomes smaller, mean over events, when each price is moved by the wallet's mean edge in its other events; negative when its edge does not carry over. Null under two events.",
  ),
  wallet_score: figure(
    "Score of dataset 584 as of the window's end or the day before; null for an insufficient sample, and for a key that may not read 584: the score, its rank (584) and its history (1006) go with one plan.",
    "0 to 100",
  ),
  maker_share: figure("Share of the notional of its fills in which its order rested; null without a fill.", "0 to 1"),
  wash_volume_share: num("0 to 1").describe(
    "Share of its volume inside closed trading clusters (see pattern wash); 0 where none was found.",
  ),
  income_usd: num("USD").maybe(
    "Rewards, maker and taker rebates, referral rewards and yield credited in the window; no part of total_pnl. Known up to income_checked_at; null, not 0, for a wallet whose income was never asked for (it is asked for the largest wallets only).",
  ),
  settled_pnl: num("USD").maybe("total_pnl + income_usd; null with it."),
  economic_pnl: num("USD").maybe("total_pnl + unrealized_pnl + income_usd; null with income_usd."),
  income_checked_at: iso().maybe(
    "When the wallet's income was last read whole; what was credited later is in no figure. Null: never.",
  ),
  sharpe_probability: figure(
    "Probability that the true sharpe_ratio is above 0, by the window's daily returns; null under three of them or where they do not differ.",
    "0 to 1",
  ),
  max_drawdown_usd: num("USD").maybe(
    "Deepest fall of the summed daily profit below its highest point (at least 0), also of a wallet that only loses; null without a marked day.",
  ),
};
