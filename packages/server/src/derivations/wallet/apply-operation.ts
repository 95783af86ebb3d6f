import { addMicros, lessMicros, mulDivFloor } from "../../definition/micros.ts";
import { joinedSpread } from "./bought-spread.ts";
import type { TokenDay } from "./day-sums.ts";
import type { Amount } from "./folded-wallet.ts";
import type { Released } from "./holding.ts";
import type { LedgerRow } from "./ledger-row.ts";
import { WalletState } from "./wallet-state.ts";

const MICRO = 1_000_000;
/**
 * A hundred billion shares, far more than exist and less than a column can store: larger amounts are not shares of a
 * market.
 */
const MAX_SHARES = 10 ** 17;
const minus = (value: Amount): Amount => lessMicros(0, value);
const abs = (value: Amount): Amount => (value < 0 ? minus(value) : value);

/** Applies the rows of one operation (one transaction and log) to a wallet: a fill, split, conversion or transfer. */
export function applyOperation(state: WalletState, rows: readonly LedgerRow[]): void {
  const [first] = rows;
  if (first === undefined) return;
  if (first.kind === "buy" || first.kind === "sell") for (const row of rows) applyFill(state, row);
  else if (first.kind === "conversion") applyConversion(state, rows);
  else if (first.kind === "transfer_in" || first.kind === "transfer_out")
    for (const row of rows) applyTransfer(state, row);
  else applySet(state, rows);
  for (const { condition, token } of rows) state.endIfOver(WalletState.keyOf(condition, token), false);
}

function applyFill(state: WalletState, row: LedgerRow): void {
  const { kind, token, condition, at, usd, fee } = row;
  const day = state.dayOf(token, condition, at);
  if (!row.isFeeKnown) state.estimate(day);
  const [size, notional] = [abs(row.shares), abs(usd)];
  if (day.buys + day.sells === 0) day.firstFillAt = at;
  day.lastFillAt = at;
  day.fee = addMicros(day.fee, fee);
  day.cash = addMicros(day.cash, lessMicros(usd, fee));
  if (row.isMaker) {
    day.makerFills += 1;
    day.makerUsd = addMicros(day.makerUsd, notional);
  }
  if (kind === "buy") {
    day.boughtSpread = joinedSpread(day, { buys: 1, bought: notional, boughtSpread: 0 });
    day.buys += 1;
    day.sharesBought = addMicros(day.sharesBought, size);
    day.bought = addMicros(day.bought, notional);
    acquire(day, size, notional, notional);
    toPosition(day, minus(fee));
  } else {
    day.sells += 1;
    day.sharesSold = addMicros(day.sharesSold, size);
    day.sold = addMicros(day.sold, notional);
    dispose(state, day, size, notional);
    toPosition(day, minus(fee));
  }
}

/** A set costs a dollar: split and merge buy and sell each side at half of it; a redemption sells at the payouts. */
function applySet(state: WalletState, rows: readonly LedgerRow[]): void {
  const parts = partsOf(state, rows, totalOf(rows));
  for (const [index, { kind, token, condition, at, shares }] of rows.entries()) {
    const usd = parts[index] ?? 0;
    const day = state.dayOf(token, condition, at);
    day.otherEvents += 1;
    day.cash = addMicros(day.cash, usd);
    if (kind === "split") {
      acquire(day, shares, minus(usd), minus(usd));
      continue;
    }
    dispose(state, day, abs(shares), usd);
  }
}

const sumOf = (amounts: readonly Amount[]): Amount => amounts.reduce<Amount>((sum, one) => addMicros(sum, one), 0);
const totalOf = (rows: readonly LedgerRow[]): Amount => sumOf(rows.map(({ usd }) => usd));

/** Money of an operation by row: halves for sets, payouts for redemptions; the first gets the rounding remainder. */
function partsOf(state: WalletState, rows: readonly LedgerRow[], total: Amount): Amount[] {
  if (rows.length === 1) return [total];
  const parts = rows.map(({ kind, token, condition, shares }) => {
    if (kind !== "redemption") return mulDivFloor(total, 1, rows.length);
    const { payout } = state.holdingOf(token, condition);
    return payout === undefined ? 0 : mulDivFloor(abs(shares), payout, MICRO);
  });
  const rest = lessMicros(total, sumOf(parts));
  const payer = Math.max(
    0,
    parts.findIndex((part) => part !== 0),
  );
  return parts.map((part, index) => (index === payer ? addMicros(part, rest) : part));
}

/**
 * NO of n questions into YES of the others: the NO leave at their cost, the YES arrive at that cost less the money
 * received, which is (no·n − (n − 1))/(N − n) per share by average cost.
 */
function applyConversion(state: WalletState, rows: readonly LedgerRow[]): void {
  const total = totalOf(rows);
  const given = rows.filter(({ shares }) => shares < 0);
  const taken = rows.filter(({ shares }) => shares > 0);
  let [cost, costFifo] = [minus(total), minus(total)];
  for (const [index, { token, condition, at, shares }] of given.entries()) {
    const day = state.dayOf(token, condition, at);
    day.otherEvents += 1;
    if (index === 0) day.cash = addMicros(day.cash, total);
    const released = release(state, day, abs(shares));
    cost = addMicros(cost, released.cost);
    costFifo = addMicros(costFifo, released.costFifo);
  }
  for (const [index, { token, condition, at, shares }] of taken.entries()) {
    const day = state.dayOf(token, condition, at);
    day.otherEvents += 1;
    const left = taken.length - index;
    const [part, partFifo] = [mulDivFloor(cost, 1, left), mulDivFloor(costFifo, 1, left)];
    cost = lessMicros(cost, part);
    costFifo = lessMicros(costFifo, partFifo);
    acquire(day, shares, part, partFifo);
  }
  // Every question's NO was given: only money was received.
  const [last] = given.slice(-1);
  if (taken.length === 0 && last !== undefined)
    realize(state.dayOf(last.token, last.condition, last.at), minus(cost), minus(costFifo));
}

/**
 * Shares from another wallet cost nothing, shares to one bring nothing, so profit only reflects money. Anyone can send
 * a wallet any amount of a token they created: amounts beyond possible shares count as an event and change nothing.
 */
function applyTransfer(state: WalletState, { token, condition, at, shares }: LedgerRow): void {
  const day = state.dayOf(token, condition, at);
  day.otherEvents += 1;
  state.estimate(day);
  const moved = addMicros(addMicros(day.sharesIn, day.sharesOut), abs(shares));
  if (addMicros(day.holding.shares, shares) > MAX_SHARES || moved > MAX_SHARES) return;
  if (shares > 0) {
    day.sharesIn = addMicros(day.sharesIn, shares);
    acquire(day, shares, 0, 0);
  } else {
    day.sharesOut = lessMicros(day.sharesOut, shares);
    dispose(state, day, minus(shares), 0);
  }
}

function acquire(day: TokenDay, shares: Amount, cost: Amount, costFifo: Amount): void {
  const { holding, market } = day;
  holding.add(shares, cost, costFifo);
  if (holding.payout === undefined) {
    // A position begins with the first shares of an unresolved condition.
    market.open ??= { pnl: 0 };
    return;
  }
  const settled = holding.settle(holding.payout);
  realize(day, settled.gain, settled.gainFifo);
}

function dispose(state: WalletState, day: TokenDay, shares: Amount, proceeds: Amount): void {
  const released = release(state, day, shares);
  // Proceeds of shares that were never held are no profit: they stay as the residual.
  const ours = released.shares < shares ? mulDivFloor(proceeds, released.shares, shares) : proceeds;
  day.unmatchedUsd = addMicros(day.unmatchedUsd, lessMicros(proceeds, ours));
  realize(day, lessMicros(ours, released.cost), lessMicros(ours, released.costFifo));
}

function release(state: WalletState, day: TokenDay, shares: Amount): Released {
  const released = day.holding.release(shares);
  if (released.shares < shares) state.estimate(day);
  return released;
}

/** Books a gain by both cost methods. */
export function realize(day: TokenDay, gain: Amount, gainFifo: Amount): void {
  day.realized = addMicros(day.realized, gain);
  day.realizedFifo = addMicros(day.realizedFifo, gainFifo);
  toPosition(day, gain);
}

/** Adds to the profit of an open position. */
function toPosition({ market: { open } }: TokenDay, pnl: Amount): void {
  if (open !== undefined) open.pnl = addMicros(open.pnl, pnl);
}
