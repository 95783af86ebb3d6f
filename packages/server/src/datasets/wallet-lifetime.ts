import { dec, hexId, int, iso } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { wallet } from "../definition/param-kinds.ts";
import { byField } from "../definition/sorting.ts";
import { walletDays } from "../tables/wallet-days.ts";
import { fees } from "./fees.ts";
import { formulaOf } from "./formula-of.ts";
import { servedLifetime } from "./served-lifetime.ts";

export const walletLifetime = defineDataset({
  agentId: 586,
  name: "wallet-lifetime",
  title: "A wallet's lifetime",
  summary: "What a wallet did from its first event to today; shares held at a resolution count, redeemed or not.",
  plan: "free",
  params: {
    wallet_address: wallet().list().required().describe("Proxy wallet, or a list of them."),
  },
  row: {
    wallet_address: hexId().describe("Wallet, lower case."),
    total_pnl: dec(2, "USD").describe("Σ (realised by average cost − fees); losers count at resolution."),
    roi_pct: dec(2, "percent").maybe("total_pnl / total_invested × 100; null if nothing was bought."),
    total_trades: int().describe("Fills bought and sold."),
    total_invested: dec(2, "USD").describe("Notional of the fills that bought, fees apart."),
    avg_trade_size: dec(2, "USD").maybe("total_invested / total_trades; null without a trade."),
    avg_pnl_per_trade: dec(2, "USD").maybe("total_pnl / total_trades; null without a trade."),
    win_rate_pct: dec(1, "percent").maybe(
      "wins / (wins + losses) × 100 of positions (wallet × condition) that ended; null if none did.",
    ),
    first_trade: iso().maybe("First fill; null without one."),
    last_trade: iso().maybe("Last fill; null without one."),
    last_updated: iso().describe("When the newest of its days was worked out."),
    fees: fees("all its days"),
  },
  limit: { default: 1, max: 200 },
  cost: { each: 0.1 },
  order: "wallet_address ascending",
  tables: [walletDays],
  venue: "polymarket",
  served: { ...servedLifetime, order: [byField("wallet_address")] },
  formula: formulaOf("wallet-lifetime"),
  notes: [
    "Without the chain (POLYGON_RPC_URL of the operator) splits, merges and redemptions are not known: coverage says from when on.",
    "Where shares moved between wallets, a result is known from the catalogue alone, or fees are not known, profit is an estimate: `pnl_status` of wallet-360 says so.",
  ],
  related: [581, 569, 1003],
  guide: "profit",
  examples: [{ title: "A wallet", params: { wallet_address: "<wallet>" } }],
});
