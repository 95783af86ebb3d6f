import { iso, num, text } from "../../definition/column.ts";
import { field, type Field } from "./field.ts";

const EDGE =
  "Mean over events of (payout − price paid), share by share, of all that was bought in markets resolved in the window.";

/** What is ours beside the recorded fields. */
export const ownFields: Readonly<Record<string, Field>> = {
  unrealized_pnl: field(
    num("USD").describe(
      "Σ shares × mark − cost of what is held at the window's end, at the newest mid, else trade; what has no mark counts 0.",
    ),
    "unrealized_usd",
  ),
  pnl_status: field(
    text().describe(
      "exact: method and cash identity agree; estimated: shares came from or went to other wallets, or left without having been held, a result is known from the catalogue alone, or fees are not known (see fees_usd); unreconciled: they differ by more than 0.01 + 0.0001 × events, what was got for shares that were never held apart.",
    ),
    "pnl_status",
  ),
  pnl_residual_usd: field(
    num("USD").describe(
      "|realised − fees + value − cost − (Σ sold − Σ bought − fees + redeemed + merged − split + value)| from the first day on. What was got for shares that were never held is cash and no profit, so it is in it.",
    ),
    "abs(residual_usd)",
  ),
  fees_usd: field(
    num("USD").describe(
      "Fees of the window's fills; 0 where they are not known: of takers' fills that the Data API alone told.",
    ),
    "fee_usd",
  ),
  edge: field(num("USD per share").maybe().describe(`${EDGE} Null where nothing was resolved.`), "round(edge, 6)"),
  edge_low: field(
    num("USD per share").maybe().describe("edge − 1.96 × sd over events / √events; null under two events."),
    "round(edge - edge_margin, 6)",
  ),
  edge_high: field(
    num("USD per share").maybe().describe("edge + 1.96 × sd over events / √events; null under two events."),
    "round(edge + edge_margin, 6)",
  ),
  clv: field(
    num("USD per share")
      .maybe()
      .describe("Closing line value: mean of (closing price − price paid) over timed entries; null without one."),
    "round(clv, 6)",
  ),
  brier_advantage: field(
    num()
      .maybe()
      .describe(
        "By how much (price paid − payout)² becomes smaller, mean over events, when each price is moved by the wallet's mean edge in its other events; negative when its edge does not carry over. Null under two events.",
      ),
    "round(brier_advantage, 6)",
  ),
  wallet_score: field(
    num("0 to 100")
      .maybe()
      .describe("Score of dataset 584 as of the window's end or the day before; null for an insufficient sample."),
    "round(wallet_score, 6)",
  ),
  maker_share: field(
    num("0 to 1")
      .maybe()
      .describe("Share of the notional of its fills in which its order rested; null without a fill."),
    "round(toFloat64(maker_usd) / nullIf(toFloat64(invested_usd + sold_usd), 0), 6)",
  ),
  wash_volume_share: field(
    num("0 to 1").describe(
      "Share of its volume inside closed trading clusters (see pattern wash); 0 where none was found.",
    ),
    "round(wash_share, 6)",
  ),
  income_usd: field(
    num("USD")
      .maybe()
      .describe(
        "Rewards, maker and taker rebates, referral rewards and yield credited in the window; no part of total_pnl. Known up to income_checked_at; null, not 0, for a wallet whose income was never asked for (it is asked for the largest wallets only).",
      ),
    "income_usd",
  ),
  settled_pnl: field(num("USD").maybe().describe("total_pnl + income_usd; null with it."), "pnl_usd + income_usd"),
  economic_pnl: field(
    num("USD").maybe().describe("total_pnl + unrealized_pnl + income_usd; null with income_usd."),
    "pnl_usd + unrealized_usd + income_usd",
  ),
  income_checked_at: field(
    iso()
      .maybe()
      .describe("When the wallet's income was last read whole; what was credited later is in no figure. Null: never."),
    "income_checked_at",
  ),
  sharpe_probability: field(
    num("0 to 1")
      .maybe()
      .describe(
        "Probability that the true sharpe_ratio is above 0, by the window's daily returns; null under three of them or where they do not differ.",
      ),
    "round(sharpe_probability, 6)",
  ),
  max_drawdown_usd: field(
    num("USD")
      .maybe()
      .describe(
        "Deepest fall of the summed daily profit below its highest point (at least 0), also of a wallet that only loses; null without a marked day.",
      ),
    "if(empty(daily), NULL, round(max_drawdown_usd, 6))",
  ),
};
