import { dec, hexId, int, iso } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { wallet } from "../definition/param-kinds.ts";
import { byField } from "../definition/sorting.ts";
import { walletDays } from "../tables/wallet-days.ts";
import { fees } from "./shared-profit.ts";
import { formulaOf } from "./formula-of.ts";
import { addMicros, lessMicros, type Micros } from "../definition/micros.ts";
import { inPercent, quotient } from "../definition/served-buckets.ts";
import type { MadeRow, KeyedRow } from "../definition/served-keyed.ts";
import { servedWalletDays } from "../tables/served-wallet-days.ts";
import { listOf } from "./list-of.ts";
import { liveDays } from "./served-wallet-days.ts";

const DAY_MICROS = 86_400_000_000;
const DAY = 86_400;
const MILLION = 1_000_000n;

/** One row over all days; none if there is no day. */
function* lifeOf(address: string, days: Iterable<KeyedRow>): Generator<MadeRow, void, void> {
  let [pnl, invested, paid]: [Micros, Micros, Micros] = [0, 0, 0];
  let [trades, wins, losses, first, last, version] = [0, 0, 0, Number.POSITIVE_INFINITY, 0, -1];
  for (const day of liveDays(days)) {
    const fee = day.micros("fee_usd");
    pnl = addMicros(pnl, lessMicros(day.micros("realized_usd"), fee));
    paid = addMicros(paid, fee);
    invested = addMicros(invested, day.micros("bought_usd"));
    trades += day.number("buys") + day.number("sells");
    wins += day.number("wins");
    losses += day.number("losses");
    // A null first_at reads as 0.
    first = Math.min(first, day.number("first_at") || first);
    last = Math.max(last, day.number("last_at"));
    version = Math.max(version, day.number("version"));
  }
  if (version < 0) return;
  yield {
    at: 0,
    values: () => ({
      wallet_address: address,
      total_pnl: pnl,
      roi_pct: inPercent(quotient(pnl, invested, MILLION)),
      total_trades: trades,
      total_invested: invested,
      avg_trade_size: quotient(invested, trades, 1n),
      avg_pnl_per_trade: quotient(pnl, trades, 1n),
      win_rate_pct: inPercent(quotient(BigInt(wins) * MILLION, wins + losses, 1n)),
      first_trade: Number.isFinite(first) ? first : null,
      last_trade: last === 0 ? null : last,
      last_updated: { micros: version },
      fees: paid,
    }),
  };
}

export const walletLifetime = defineDataset({
  agentId: 586,
  name: "wallet-lifetime",
  title: "A wallet's lifetime",
  summary: "Totals of a wallet from its first event to today; shares held at a resolution count, redeemed or not.",
  plan: "free",
  params: {
    wallet_address: wallet().list().required().describe("Proxy wallet, or a list of them."),
  },
  row: {
    wallet_address: hexId().describe("Wallet, lower case."),
    total_pnl: dec(2, "USD").describe("Σ (realised by average cost − fees); losing shares count at resolution."),
    roi_pct: dec(2, "percent").maybe("total_pnl / total_invested × 100; null if nothing was bought."),
    total_trades: int().describe("Buy and sell fills."),
    total_invested: dec(2, "USD").describe("Notional of buy fills, excluding fees."),
    avg_trade_size: dec(2, "USD").maybe("total_invested / total_trades; null without a trade."),
    avg_pnl_per_trade: dec(2, "USD").maybe("total_pnl / total_trades; null without a trade."),
    win_rate_pct: dec(1, "percent").maybe(
      "wins / (wins + losses) × 100 of positions (wallet × condition) that ended; null if none did.",
    ),
    first_trade: iso().maybe("First fill; null without one."),
    last_trade: iso().maybe("Last fill; null without one."),
    last_updated: iso().describe("When the newest of its days was computed."),
    fees: fees("all its days"),
  },
  limit: { default: 1, max: 200 },
  cost: { each: 0.1 },
  order: "wallet_address ascending",
  tables: [walletDays],
  venue: "polymarket",
  served: {
    types: { total_trades: "Int64" },
    tables: [servedWalletDays],
    order: [byField("wallet_address")],
    search: (p, { now }) => {
      const span = { from: 0, to: Math.floor(Number(now.value) / DAY_MICROS) * DAY };
      return {
        keys: listOf(p.wallet_address),
        from: 0,
        rows: (address, { rows }) => lifeOf(address, rows(servedWalletDays, "wallet", address, span)),
      };
    },
  },
  formula: formulaOf("wallet-lifetime"),
  notes: [
    "Without the chain (the operator's POLYGON_RPC_URL), splits, merges and redemptions are unknown: coverage says from when on.",
    "Profit is an estimate where shares moved between wallets, a result is known only from the catalogue, or fees are unknown: see `pnl_status` of wallet-360.",
  ],
  related: [581, 569, 1003],
  guide: "profit",
  examples: [{ title: "A wallet", params: { wallet_address: "<wallet>" } }],
});
