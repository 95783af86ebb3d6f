import type { Wallet } from "../../world/contract.ts";
import type { World } from "../../world/world.ts";
import { marketPrice } from "../market-price.ts";
import { activitiesOf } from "./activity-row.ts";

/** A wallet's sums over a span of time. USD and shares as plain numbers. */
export interface WalletTotals {
  wallet: Wallet;
  /** Realised only when the span is all time, else cash in the span plus what its net shares are worth now. */
  pnl: number;
  volume: number;
  volume_usdc: number;
  trade_count: number;
}

/** Sums a wallet's trades since `fromSeconds`; `undefined` is all time, where PnL is realised PnL less fees. */
export function walletTotals(world: World, wallet: Wallet, fromSeconds: number | undefined): WalletTotals {
  const totals = { wallet, pnl: 0, volume: 0, volume_usdc: 0, trade_count: 0 };
  let cash = 0;
  let worth = 0;
  for (const happening of world.polymarket.activity(wallet.address)) {
    if (happening.block_ms / 1000 < (fromSeconds ?? 0)) continue;
    for (const item of activitiesOf(happening, wallet.address)) {
      if (item.type === "REDEEM") cash += item.usd_micro;
      if (item.type !== "TRADE") continue;
      totals.trade_count += 1;
      totals.volume += item.shares_micro / 1_000_000;
      totals.volume_usdc += item.usd_micro / 1_000_000;
      const sign = item.side === "BUY" ? 1 : -1;
      cash -= sign * item.usd_micro;
      const outcome = item.outcome_index === 0 ? 0 : 1;
      if (item.market?.resolved_ms === null) worth += sign * item.shares_micro * marketPrice(item.market, outcome);
    }
  }
  totals.pnl = fromSeconds === undefined ? realized(world, wallet) : (cash + worth) / 1_000_000;
  return totals;
}

function realized(world: World, wallet: Wallet): number {
  const sum = world.polymarket
    .holdingsOf(wallet.address)
    .reduce((total, held) => total + held.realized_pnl_micro - held.fees_micro, 0);
  return sum / 1_000_000;
}
