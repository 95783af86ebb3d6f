import { dec, hexId, int, iso } from "../definition/column.ts";
import { defineDataset, type OrderKey } from "../definition/dataset.ts";
import { choice, moment, wallet } from "../definition/param-kinds.ts";
import { orderKey } from "../definition/sorting.ts";
import { joined, given, sql, type Sql } from "../definition/sql.ts";
import { equityDaysSql } from "../derivations/wallet-window/equity-sql.ts";
import { walletDays } from "../tables/wallet-days.ts";
import { formulaOf } from "./formula-of.ts";
import { servedEquity } from "./served-equity.ts";

const BUCKETS: Readonly<Record<string, Sql>> = {
  "1d": sql`day`,
  "1w": sql`toStartOfWeek(day, 1)`,
  "1m": sql`toStartOfMonth(day)`,
};

const oldestLast: OrderKey[] = [
  orderKey(sql`bucket`, "desc", "day", "candle_time"),
  orderKey(sql`wallet`, "asc", "wallet", "proxy_wallet"),
];
const [byBucket, byWallet] = oldestLast;
const oldestFirst: OrderKey[] = [
  ...(byBucket ? [{ ...byBucket, direction: "asc" as const }] : []),
  ...(byWallet ? [byWallet] : []),
];

const CANDLE = sql`argMin(before, day) AS open_usd, greatest(open_usd, max(equity)) AS high_usd, least(open_usd, min(equity)) AS low_usd, argMax(equity, day) AS close_usd,
  sum(realized_usd - fee_usd) AS realized, argMax(open_value_usd - open_cost_usd, day) AS unrealized, argMax(open_value_usd, day) AS held_usd, argMax(peak, day) AS peak_usd, max(peak - equity) AS deepest_usd, sum(buys + sells) AS fills`;

const usd = () => dec(2, "USD");

export const walletEquityCurve = defineDataset({
  agentId: 1003,
  name: "wallet-equity-curve",
  title: "A wallet's profit as candles",
  summary:
    "Total profit of a wallet, realised and not, at the end of each day, as candles of days, weeks or months. Buckets in which it neither did nor held anything are absent.",
  plan: "free",
  params: {
    proxy_wallet: wallet().list().required().describe("Proxy wallet, or a list of them."),
    interval: choice("1d", "1w", "1m")
      .default("1d")
      .describe("Length of a candle; UTC days, weeks from Monday, months."),
    start_time: moment("start")
      .off("-1.0")
      .describe("First UTC day, inclusive. Without it pages start at the newest candles and go back."),
    end_time: moment("end").off("-1.0").describe("Last UTC day, inclusive."),
  },
  row: {
    candle_time: iso().describe("Start of the candle."),
    proxy_wallet: hexId().describe("Wallet, lower case."),
    open: usd().describe(
      "Total profit at the end of the day before: realised less fees since the first day + value − cost of what is held.",
    ),
    high: usd().describe("Highest of open and the days' ends; within a day nothing is marked."),
    low: usd().describe("Lowest of open and the days' ends."),
    close: usd().describe("Total profit at the end of the last day."),
    pnl: usd().describe("close − open."),
    realized_pnl: usd().describe("Of it, realised by average cost less fees."),
    unrealized_pnl: usd().describe("Value − cost of what is held at the end of the last day."),
    open_value: usd().describe("Value of what is held at the end of the last day."),
    peak: usd().describe("Highest total profit so far at a day's end, at least 0."),
    drawdown: usd().describe("peak − close."),
    max_drawdown: usd().describe("Deepest fall below the highest so far at a day's end of the candle."),
    trades: int().describe("Fills bought and sold."),
  },
  limit: { default: 500, max: 5000 },
  order:
    "candle_time ascending, then proxy_wallet; without start_time each page is ascending and the pages go back from the newest",
  tables: [walletDays],
  range: { from: "start_time", to: "end_time", needsAllBefore: true },
  query: (p) => {
    const bucket = BUCKETS[String(p.interval?.value)] ?? sql`day`;
    const since = joined([sql`1`, given(p.start_time, (first) => sql`day >= toDate(${first})`)], sql` AND `);
    return {
      select: {
        candle_time: sql`toDateTime(bucket, 'UTC')`,
        proxy_wallet: sql`wallet`,
        open: sql`open_usd`,
        high: sql`high_usd`,
        low: sql`low_usd`,
        close: sql`close_usd`,
        pnl: sql`close_usd - open_usd`,
        realized_pnl: sql`realized`,
        unrealized_pnl: sql`unrealized`,
        open_value: sql`held_usd`,
        peak: sql`peak_usd`,
        drawdown: sql`peak_usd - close_usd`,
        max_drawdown: sql`deepest_usd`,
        trades: sql`fills`,
      },
      from: sql`(SELECT wallet, bucket, ${CANDLE} FROM (SELECT *, ${bucket} AS bucket FROM ${equityDaysSql({ wallets: p.proxy_wallet }, p.end_time)} WHERE ${since}) GROUP BY wallet, bucket)`,
      order: p.start_time ? oldestFirst : oldestLast,
      ...(p.start_time ? {} : { isShownReversed: true }),
    };
  },
  served: { ...servedEquity, order: oldestFirst },
  formula: formulaOf("wallet-equity-curve"),
  notes: [
    "Within a day nothing is marked: high and low are of days' ends.",
    "Income (rewards, rebates, yield) is no part of it: see income_usd of wallet-360.",
  ],
  related: [569, 581, 1001],
  guide: "profit",
  examples: [
    { title: "A wallet's days", params: { proxy_wallet: "0x007b44a74a8d915a4cd7cff5c07ce881e4d9adc6" } },
    {
      title: "Its weeks of a quarter",
      params: {
        proxy_wallet: "0x007b44a74a8d915a4cd7cff5c07ce881e4d9adc6",
        interval: "1w",
        start_time: "2026-04-01",
        end_time: "2026-06-30",
      },
    },
  ],
});
