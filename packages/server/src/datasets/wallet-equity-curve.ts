import { dec, hexId, int, iso } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { timeLength, dateTime, wallet } from "../definition/param-kinds.ts";
import { byField } from "../definition/sorting.ts";
import { walletDays } from "../tables/wallet-days.ts";
import { fees } from "./shared-profit.ts";
import { formulaOf } from "./formula-of.ts";
import { servedEquity } from "./served-equity.ts";
import { wholeDayAt } from "./served-wallet-days.ts";

const usd = () => dec(2, "USD");

export const walletEquityCurve = defineDataset({
  agentId: 1003,
  name: "wallet-equity-curve",
  title: "A wallet's profit as candles",
  summary:
    "Total profit of a wallet, realised and unrealised, at the end of each day, as candles of days, weeks or months. Buckets without events or holdings are omitted.",
  plan: "free",
  params: {
    proxy_wallet: wallet().list().required().describe("Proxy wallet, or a list of them."),
    interval: timeLength("1d", "1w", "1M")
      .default("1d")
      .describe("Length of a candle; UTC days, weeks from Monday, months."),
    start_time: dateTime("start").describe(
      "First UTC day, inclusive. If omitted, pages start at the newest candles and go back.",
    ),
    end_time: dateTime("end").describe("Last UTC day, inclusive."),
  },
  row: {
    candle_time: iso().describe("Start of the candle."),
    proxy_wallet: hexId().describe("Wallet, lower case."),
    open: usd().describe(
      "Total profit at the end of the day before: realised less fees since the first day + value − cost of the shares held.",
    ),
    high: usd().describe("Highest of open and the days' ends; there are no marks within a day."),
    low: usd().describe("Lowest of open and the days' ends."),
    close: usd().describe("Total profit at the end of the last day."),
    pnl: usd().describe("close − open."),
    realized_pnl: usd().describe("Realised on the candle's days: by average cost, less fees."),
    unrealized_pnl: usd().describe("Value − cost of the shares held at the end of the last day."),
    open_value: usd().describe("Value of the shares held at the end of the last day."),
    peak: usd().describe("Highest total profit so far at a day's end, at least 0."),
    drawdown: usd().describe("peak − close."),
    max_drawdown: usd().describe("Largest drop below the peak so far, at the candle's days' ends."),
    trades: int().describe("Buy and sell fills."),
    fees: fees("the candle's days"),
  },
  limit: { default: 500, max: 5000 },
  cost: { each: 0.1 },
  order:
    "candle_time ascending, then proxy_wallet; without start_time each page is ascending and the pages go back from the newest",
  tables: [walletDays],
  venue: "polymarket",
  range: { from: "start_time", to: "end_time", needsAllBefore: true, wholeAt: wholeDayAt },
  served: { ...servedEquity, order: [byField("candle_time"), byField("proxy_wallet")] },
  formula: formulaOf("wallet-equity-curve"),
  notes: [
    "There are no marks within a day: high and low are of days' ends.",
    "Income (rewards, rebates, yield) is not included: see income_usd of wallet-360.",
  ],
  related: [569, 581, 1001],
  guide: "profit",
  examples: [
    { title: "A wallet's days", params: { proxy_wallet: "<wallet>" } },
    {
      title: "A wallet's weeks of a quarter",
      params: {
        proxy_wallet: "<wallet>",
        interval: "1w",
        start_time: "<quarter_ago>",
        end_time: "<today>",
      },
    },
  ],
});
