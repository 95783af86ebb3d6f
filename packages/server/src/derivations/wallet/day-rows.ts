import { microText } from "../../definition/micro-text.ts";
import type { InsertRow } from "../../definition/table.ts";
import type { TokenDay } from "./day-sums.ts";
import { floorDiv, type Holding } from "./holding.ts";
import { WalletState } from "./wallet-state.ts";

export type MarkOf = (token: string, day: string) => bigint | undefined;

const NO_CONDITION = `0x${"0".repeat(64)}`;

/** The rows of wallet_token_days of one day. */
export function tokenDayRows(wallet: string, day: string, state: WalletState): InsertRow[] {
  return [...state.today.values()].map((sums) => tokenDayRow(wallet, day, state, sums));
}

function tokenDayRow(wallet: string, day: string, state: WalletState, sums: TokenDay): InsertRow {
  const { holding } = sums;
  const open = state.positions.get(WalletState.keyOf(holding.condition, holding.token));
  return {
    wallet,
    day,
    token_id: holding.token,
    condition_id: holding.condition === "" ? NO_CONDITION : holding.condition,
    first_at: sums.firstAt,
    last_at: sums.lastAt,
    buys: sums.buys,
    sells: sums.sells,
    maker_fills: sums.makerFills,
    other_events: sums.otherEvents,
    shares_bought: microText(sums.sharesBought),
    bought_usd: microText(sums.bought),
    shares_sold: microText(sums.sharesSold),
    sold_usd: microText(sums.sold),
    maker_usd: microText(sums.makerUsd),
    bought_usd_squared: sums.boughtSquared,
    fee_usd: microText(sums.fee),
    split_usd: microText(sums.split),
    merged_usd: microText(sums.merged),
    redeemed_usd: microText(sums.redeemed),
    converted_usd: microText(sums.converted),
    shares_in: microText(sums.sharesIn),
    shares_out: microText(sums.sharesOut),
    unmatched_shares: microText(sums.unmatched),
    realized_usd: microText(sums.realized),
    realized_fifo_usd: microText(sums.realizedFifo),
    cash_usd: microText(sums.cash),
    shares: microText(holding.shares),
    cost_usd: microText(holding.cost),
    cost_fifo_usd: microText(holding.costFifo),
    lots: holding.open.map(({ shares, cost }) => [microText(shares), microText(cost)]),
    payout: holding.payout === undefined ? null : microText(holding.payout),
    position_opened_at: open === undefined ? null : open.openedAt,
    position_pnl_usd: microText(open?.pnl ?? 0n),
    position_bought_usd: microText(open?.bought ?? 0n),
    is_gone: false,
  };
}

/** The rows of wallet_condition_days of one day. */
export function conditionDayRows(wallet: string, day: string, state: WalletState): InsertRow[] {
  return [...state.ended]
    .filter(([condition]) => condition.startsWith("0x"))
    .map(([condition_id, ended]) => ({
      wallet,
      day,
      condition_id,
      opened_at: ended.openedAt,
      ended_at: ended.endedAt,
      wins: ended.wins,
      losses: ended.losses,
      evens: ended.evens,
      resolved: ended.resolved,
      pnl_usd: microText(ended.pnl),
      bought_usd: microText(ended.bought),
      is_gone: false,
    }));
}

/** The row of wallet_days of one day; undefined where nothing was done and nothing unresolved is held. */
export function walletDayRow(wallet: string, day: string, state: WalletState, markOf: MarkOf): InsertRow | undefined {
  const sums = sumOf([...state.today.values()]);
  const held = heldAt(day, state, markOf);
  if (state.today.size === 0 && held.tokens === 0) return undefined;
  const ended = [...state.ended.values()];
  return {
    wallet,
    day,
    first_at: sums.fills === 0 ? null : sums.firstAt,
    last_at: sums.fills === 0 ? null : sums.lastAt,
    buys: sums.buys,
    sells: sums.sells,
    maker_fills: sums.makerFills,
    other_events: sums.otherEvents,
    wins: ended.reduce((count, { wins }) => count + wins, 0),
    losses: ended.reduce((count, { losses }) => count + losses, 0),
    bought_usd: microText(sums.bought),
    sold_usd: microText(sums.sold),
    maker_usd: microText(sums.makerUsd),
    bought_usd_squared: sums.boughtSquared,
    fee_usd: microText(sums.fee),
    realized_usd: microText(sums.realized),
    realized_fifo_usd: microText(sums.realizedFifo),
    cash_usd: microText(sums.cash),
    cash_total_usd: microText(state.cashTotal),
    realized_total_usd: microText(state.realizedTotal),
    fee_total_usd: microText(state.feeTotal),
    open_cost_usd: microText(held.cost),
    open_value_usd: microText(held.value),
    open_tokens: held.tokens,
    unmarked_tokens: held.unmarked,
    is_estimated: state.isEstimated,
    is_gone: false,
  };
}

function sumOf(days: readonly TokenDay[]) {
  const sums = {
    fills: 0,
    firstAt: Number.POSITIVE_INFINITY,
    lastAt: 0,
    buys: 0,
    sells: 0,
    makerFills: 0,
    otherEvents: 0,
    bought: 0n,
    sold: 0n,
    makerUsd: 0n,
    boughtSquared: 0,
    fee: 0n,
    realized: 0n,
    realizedFifo: 0n,
    cash: 0n,
  };
  for (const day of days) {
    const fills = day.buys + day.sells;
    if (fills > 0) {
      sums.firstAt = Math.min(sums.firstAt, day.firstFillAt);
      sums.lastAt = Math.max(sums.lastAt, day.lastFillAt);
    }
    sums.fills += fills;
    sums.buys += day.buys;
    sums.sells += day.sells;
    sums.makerFills += day.makerFills;
    sums.otherEvents += day.otherEvents;
    sums.bought += day.bought;
    sums.sold += day.sold;
    sums.makerUsd += day.makerUsd;
    sums.boughtSquared += day.boughtSquared;
    sums.fee += day.fee;
    sums.realized += day.realized;
    sums.realizedFifo += day.realizedFifo;
    sums.cash += day.cash;
  }
  return sums;
}

/** What is held at a day's end: resolved shares at their payout, others at the mark, without one at their cost. */
function heldAt(day: string, { holdings }: WalletState, markOf: MarkOf) {
  const held = { cost: 0n, value: 0n, tokens: 0, unmarked: 0 };
  for (const holding of holdings.values()) {
    if (holding.shares === 0n) continue;
    held.cost += holding.cost;
    if (holding.payout === undefined) held.tokens += 1;
    const value = valueOf(holding, markOf(holding.token, day));
    if (value === undefined) held.unmarked += 1;
    held.value += value ?? holding.cost;
  }
  return held;
}

function valueOf({ shares, cost, payout }: Holding, mark: bigint | undefined): bigint | undefined {
  if (payout !== undefined) return cost;
  return mark === undefined ? undefined : floorDiv(shares * mark, 1_000_000n);
}
