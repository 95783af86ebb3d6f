import type { TokenDay } from "./day-sums.ts";
import { floorDiv, type Holding, type Released } from "./holding.ts";
import type { LedgerRow } from "./ledger-row.ts";
import { WalletState } from "./wallet-state.ts";

/** Gains and costs of one step on one token. */
type Step = {
  readonly holding: Holding;
  readonly day: TokenDay;
  readonly at: number;
  readonly fee?: bigint;
  readonly bought?: bigint;
};

const MICRO = 1_000_000n;
/** A hundred billion shares, far more than there are and less than a column holds: what goes beyond is no share of a market. */
const MOST_SHARES = 10n ** 17n;
const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** Applies the rows of one operation (one transaction and log) to a wallet: a fill, a split, a conversion, a transfer. */
export function applyOperation(state: WalletState, rows: readonly LedgerRow[]): void {
  const [first] = rows;
  if (first === undefined) return;
  if (first.kind === "buy" || first.kind === "sell") for (const row of rows) applyFill(state, row);
  else if (first.kind === "conversion") applyConversion(state, rows);
  else if (first.kind === "transfer_in" || first.kind === "transfer_out")
    for (const row of rows) applyTransfer(state, row);
  else applySet(state, rows);
  for (const { condition, token, at } of rows) state.endIfOver(WalletState.keyOf(condition, token), at, false);
}

function applyFill(state: WalletState, row: LedgerRow): void {
  const { kind, token, condition, at, shares, usd, fee, isMaker, isFeeKnown } = row;
  if (!isFeeKnown) state.isEstimated = true;
  const holding = state.holdingOf(token, condition);
  const day = state.dayOf(holding, at);
  const [size, notional] = [abs(shares), abs(usd)];
  if (day.buys + day.sells === 0) day.firstFillAt = at;
  day.lastFillAt = at;
  day.fee += fee;
  day.cash += usd - fee;
  if (isMaker) {
    day.makerFills += 1;
    day.makerUsd += notional;
  }
  if (kind === "buy") {
    day.buys += 1;
    day.sharesBought += size;
    day.bought += notional;
    day.boughtSquared += (Number(notional) / 1e6) ** 2;
    acquire(state, { holding, day, at, fee, bought: notional }, size, notional, notional);
  } else {
    day.sells += 1;
    day.sharesSold += size;
    day.sold += notional;
    dispose(state, { holding, day, at, fee }, size, notional);
  }
}

/** A set costs a dollar: split and merge buy and sell each side at half of it; a redemption sells at the payouts. */
function applySet(state: WalletState, rows: readonly LedgerRow[]): void {
  const total = rows.reduce((sum, { usd }) => sum + usd, 0n);
  const shares = partsOf(state, rows, total);
  for (const [index, { kind, token, condition, at, shares: delta }] of rows.entries()) {
    const usd = shares[index] ?? 0n;
    const holding = state.holdingOf(token, condition);
    const day = state.dayOf(holding, at);
    day.otherEvents += 1;
    day.cash += usd;
    const step = { holding, day, at };
    if (kind === "split") {
      day.split -= usd;
      acquire(state, step, delta, -usd, -usd);
      continue;
    }
    if (kind === "merge") day.merged += usd;
    else day.redeemed += usd;
    dispose(state, step, abs(delta), usd);
  }
}

/** The money of an operation by row: halves for sets, payouts for redemptions; what rounding leaves is the first's. */
function partsOf(state: WalletState, rows: readonly LedgerRow[], total: bigint): bigint[] {
  if (rows.length === 1) return [total];
  const parts = rows.map(({ kind, token, condition, shares }) => {
    if (kind !== "redemption") return floorDiv(total, BigInt(rows.length));
    const { payout } = state.holdingOf(token, condition);
    return payout === undefined ? 0n : floorDiv(abs(shares) * payout, MICRO);
  });
  const rest = total - parts.reduce((sum, part) => sum + part, 0n);
  const payer = Math.max(
    0,
    parts.findIndex((part) => part !== 0n),
  );
  return parts.map((part, index) => (index === payer ? part + rest : part));
}

/**
 * NO of n questions into YES of the others: the NO go at their cost, the YES come at what that leaves after the money
 * that came, which is (no·n − (n − 1))/(N − n) a share by average cost.
 */
function applyConversion(state: WalletState, rows: readonly LedgerRow[]): void {
  const total = rows.reduce((sum, { usd }) => sum + usd, 0n);
  const given = rows.filter(({ shares }) => shares < 0n);
  const taken = rows.filter(({ shares }) => shares > 0n);
  let [cost, costFifo] = [-total, -total];
  for (const [index, { token, condition, at, shares }] of given.entries()) {
    const holding = state.holdingOf(token, condition);
    const day = state.dayOf(holding, at);
    day.otherEvents += 1;
    if (index === 0) day.cash += total;
    const released = release(state, holding, day, abs(shares));
    cost += released.cost;
    costFifo += released.costFifo;
    day.converted += released.cost;
  }
  for (const [index, { token, condition, at, shares }] of taken.entries()) {
    const holding = state.holdingOf(token, condition);
    const day = state.dayOf(holding, at);
    day.otherEvents += 1;
    const left = BigInt(taken.length - index);
    const [part, partFifo] = [floorDiv(cost, left), floorDiv(costFifo, left)];
    cost -= part;
    costFifo -= partFifo;
    day.converted -= part;
    acquire(state, { holding, day, at }, shares, part, partFifo);
  }
  // Every question's NO was given: nothing came but money.
  const [last] = given.slice(-1);
  if (taken.length === 0 && last !== undefined) {
    const holding = state.holdingOf(last.token, last.condition);
    realize(state, { holding, day: state.dayOf(holding, last.at), at: last.at }, -cost, -costFifo);
  }
}

/**
 * Shares from another wallet cost nothing, shares to one bring nothing: so profit stays what the money says. Anybody can
 * send a wallet any amount of a token of his own: beyond what can be shares it counts as an event and changes nothing.
 */
function applyTransfer(state: WalletState, { token, condition, at, shares }: LedgerRow): void {
  const holding = state.holdingOf(token, condition);
  const day = state.dayOf(holding, at);
  day.otherEvents += 1;
  state.isEstimated = true;
  if (holding.shares + shares > MOST_SHARES || day.sharesIn + day.sharesOut + abs(shares) > MOST_SHARES) return;
  if (shares > 0n) {
    day.sharesIn += shares;
    acquire(state, { holding, day, at }, shares, 0n, 0n);
  } else {
    day.sharesOut -= shares;
    dispose(state, { holding, day, at }, -shares, 0n);
  }
}

function acquire(state: WalletState, step: Step, shares: bigint, cost: bigint, costFifo: bigint): void {
  const { holding, at, fee = 0n, bought = 0n } = step;
  holding.add(shares, cost, costFifo);
  state.open(holding, at);
  state.gain(holding, -fee, bought);
  if (holding.payout === undefined) return;
  const { gain, gainFifo } = holding.settle(holding.payout);
  realize(state, step, gain, gainFifo);
}

function dispose(state: WalletState, step: Step, shares: bigint, proceeds: bigint): void {
  const { holding, day, fee = 0n } = step;
  const released = release(state, holding, day, shares);
  // Of shares that were never held the proceeds are no profit: they stay as the residual.
  const ours = released.shares === shares ? proceeds : floorDiv(proceeds * released.shares, shares);
  day.unmatchedUsd += proceeds - ours;
  state.gain(holding, -fee);
  realize(state, step, ours - released.cost, ours - released.costFifo);
}

function release(state: WalletState, holding: Holding, day: TokenDay, shares: bigint): Released {
  const released = holding.release(shares);
  if (released.shares < shares) {
    day.unmatched += shares - released.shares;
    state.isEstimated = true;
  }
  return released;
}

function realize(state: WalletState, { holding, day }: Step, gain: bigint, gainFifo: bigint): void {
  day.realized += gain;
  day.realizedFifo += gainFifo;
  state.gain(holding, gain);
}
