import { LEDGER_TABLES, fees } from "./shared-profit.ts";
import { dec, hexId, int, iso } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { choice, condition, dateTime, wallet, timeLength } from "../definition/param-kinds.ts";
import { byField } from "../definition/sorting.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { walletDays } from "../tables/wallet-days.ts";
import { formulaOf } from "./formula-of.ts";
import { servedPnl } from "./served-pnl.ts";
import { wholeDayAt } from "./served-wallet-days.ts";

export const polymarketPnl = defineDataset({
  agentId: 569,
  name: "polymarket-pnl",
  title: "Polymarket profit and loss",
  summary:
    "A wallet's realised profit by day, from the ledger of all its fills, splits, merges, conversions, redemptions, transfers and resolutions, oldest first.",
  plan: "free",
  params: {
    wallet: wallet().list().required().describe("Proxy wallet, or a list of them."),
    granularity: timeLength("1d", "3d", "1w", "1M", "all")
      .spelt({ all: "all" })
      .default("1d")
      .describe(
        "Length of a bucket: UTC days; three-day periods counted from 1970-01-01; weeks from Monday; months; or all in one.",
      ),
    start_time: dateTime("start").describe("First UTC day, inclusive."),
    end_time: dateTime("end").describe("Last UTC day, inclusive."),
    condition_id: condition().list().describe("Only activity in these markets."),
    method: choice("average", "fifo")
      .default("average")
      .describe("Cost method for shares sold: average cost (as Polymarket does), or first in, first out."),
  },
  row: {
    date: iso().describe("Start of the bucket; for all, the first day with an event."),
    proxy_wallet: hexId().describe("Wallet, lower case."),
    invested: dec(2, "USD").describe("Notional of buy fills, excluding fees."),
    pnl: dec(2, "USD").describe(
      "Realised profit less fees: Σ shares sold × (price − cost per share), with merges sold at 0.50, redemptions at the payout, and shares held at a resolution sold at the payout on that day, redeemed or not.",
    ),
    trades: int().describe("Buy and sell fills."),
    wins: int().describe("Positions (wallet × condition) that were sold off or resolved with a profit after fees."),
    losses: int().describe("Positions that were sold off or resolved with a loss."),
    win_rate: dec(2, "percent").maybe("wins / trades × 100, at most 100; null without a trade."),
    fees: fees("the bucket"),
  },
  limit: { default: 200, max: 5000 },
  cost: { each: 0.15 },
  order: "date ascending, then proxy_wallet ascending",
  tables: [walletDays, polymarketTokens],
  venue: "polymarket",
  alsoReads: LEDGER_TABLES,
  range: { from: "start_time", to: "end_time", needsAllBefore: true, wholeAt: wholeDayAt },
  served: { ...servedPnl, order: [byField("date"), byField("proxy_wallet")] },
  formula: formulaOf("polymarket-pnl"),
  notes: [
    "Buckets without an event are absent, not 0.",
    "Profit of a day depends on the cost from all earlier days: coverage counts everything up to end_time.",
    "Profit is an estimate where shares moved between wallets, a result is known only from the catalogue, or fees are unknown: see `pnl_status` of wallet-360.",
  ],
  related: [579, 581, 1002, 1003],
  guide: "profit",
  examples: [
    {
      title: "A wallet's days",
      params: {
        wallet: "<wallet>",
        start_time: "<week_ago>",
        end_time: "<today>",
      },
    },
    {
      title: "A wallet's months, first in, first out",
      params: { wallet: "<wallet>", granularity: "1M", method: "fifo" },
    },
  ],
});
