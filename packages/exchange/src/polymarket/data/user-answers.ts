import type { World } from "../../world/world.ts";
import type { Query } from "../query-values.ts";
import { invalid, type Refusal } from "./data-error.ts";
import { positionFigures } from "./position-figures.ts";
import { isRefusal, readUser } from "./read-query.ts";
import { walletTotals } from "./wallet-totals.ts";

type Answer = { data: unknown } | Refusal;

/** `GET /v2/user-stats`: null for a wallet never seen; the sums of PnL keep the identities of the real service. */
export function userStatsAnswer(world: World, query: Query): Answer {
  const address = requiredUser(query);
  if (isRefusal(address)) return address;
  const wallet = world.polymarket.wallet(address);
  if (wallet === undefined) return { data: null };
  const held = world.polymarket.holdingsOf(address);
  const wins = held
    .filter((holding) => holding.market.resolved_ms !== null)
    .map((holding) => positionFigures(holding).total);
  return {
    data: {
      proxy_wallet: address,
      trades: new Set(held.map((holding) => holding.market.condition_id)).size,
      biggest_win: Math.max(0, ...wins.filter((win) => win > 1)),
      views: 0,
      join_date: Math.floor(wallet.created_ms / 1000),
      all_time_pnl: pnlPoint(world, address),
    },
  };
}

/** `GET /v2/user-volume`: both sides of the wallet's trading. */
export function userVolumeAnswer(world: World, query: Query): Answer {
  const address = requiredUser(query);
  if (isRefusal(address)) return address;
  const wallet = world.polymarket.wallet(address);
  if (wallet === undefined) return { data: { volume: 0, volume_usdc: 0, trade_count: 0 } };
  const { volume, volume_usdc, trade_count } = walletTotals(world, wallet, undefined);
  return { data: { volume, volume_usdc, trade_count } };
}

/** `GET /v2/value`: what the wallet's open positions are worth now. */
export function valueAnswer(world: World, query: Query): Answer {
  const address = requiredUser(query);
  if (isRefusal(address)) return address;
  return { data: { proxy_wallet: address, value: holdingsValue(world, address) } };
}

/** Marked value of all that a wallet holds, USD with four decimals. */
export function holdingsValue(world: World, address: string): number {
  const sum = world.polymarket
    .holdingsOf(address)
    .reduce((total, holding) => total + positionFigures(holding).value, 0);
  return Math.round(sum * 10_000) / 10_000;
}

function requiredUser(query: Query): string | Refusal {
  const user = readUser(query);
  if (isRefusal(user)) return user;
  return "user" in user ? user.user : invalid("user", "user is required");
}

/** wallet_income = sponsored_income + rebates. The worlds pay rewards and makers' rebates. */
function incomeFigures(world: World, address: string) {
  const paid = { REWARD: 0, MAKER_REBATE: 0, TAKER_REBATE: 0, REFERRAL_REWARD: 0, YIELD: 0 };
  for (const { type, amount_micro } of world.income.of(address)) paid[type] += amount_micro;
  const sponsored = paid.REWARD + paid.YIELD + paid.REFERRAL_REWARD;
  return {
    maker_rebate: paid.MAKER_REBATE / 1_000_000,
    taker_rebate: paid.TAKER_REBATE / 1_000_000,
    reward_income: paid.REWARD / 1_000_000,
    yield_income: paid.YIELD / 1_000_000,
    referral_income: paid.REFERRAL_REWARD / 1_000_000,
    sponsored_income: sponsored / 1_000_000,
    wallet_income: (sponsored + paid.MAKER_REBATE + paid.TAKER_REBATE) / 1_000_000,
  };
}

/** realized = market + lp + combo; position = realized + unrealized; trade = position − fees_paid; fees are negative. */
function pnlPoint(world: World, address: string): Record<string, number | null> {
  const held = world.polymarket.holdingsOf(address);
  const wallet = world.polymarket.wallet(address);
  const micro = (amount: (index: number) => number): number =>
    held.reduce((sum, _holding, index) => sum + amount(index), 0);
  const fees = -micro((index) => held[index]?.fees_micro ?? 0) / 1_000_000;
  const realized = micro((index) => held[index]?.realized_pnl_micro ?? 0) / 1_000_000 + fees;
  const unrealized = held.reduce((sum, holding) => sum + positionFigures(holding).unrealized, 0);
  const totals = wallet === undefined ? undefined : walletTotals(world, wallet, undefined);
  const income = incomeFigures(world, address);
  return {
    timestamp: Math.floor(world.reached() / 1000),
    source_block: world.chain.head(),
    realized_market_pnl: realized,
    realized_lp_pnl: 0,
    realized_combo_pnl: 0,
    unrealized_pnl: unrealized,
    fees_refunded: 0,
    ...income,
    deposits: null,
    withdrawals: null,
    realized_pnl: realized,
    position_pnl: realized + unrealized,
    settled_pnl: realized + income.wallet_income,
    economic_pnl: realized + unrealized + income.wallet_income,
    trade_pnl: realized + unrealized - fees,
    fees,
    fees_paid: fees,
    cashflow_net: null,
    volume: totals?.volume ?? 0,
    volume_usdc: totals?.volume_usdc ?? 0,
    trade_count: totals?.trade_count ?? 0,
  };
}
