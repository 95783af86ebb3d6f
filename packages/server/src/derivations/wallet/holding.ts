import { addMicros, lessMicros, mulDivFloor } from "../../definition/micros.ts";
import type { Amount } from "./folded-wallet.ts";

/** Shares of one purchase and what they cost, 1e-6. */
export type Lot = { shares: Amount; cost: Amount };

/** Shares that leave a holding: how many of them were held, and their cost by both methods. */
export type Released = { readonly shares: Amount; readonly cost: Amount; readonly costFifo: Amount };

/** The state of one token of a wallet, carried from day to day. */
export type HoldingState = {
  readonly token: string;
  readonly condition: string;
  readonly shares: Amount;
  readonly cost: Amount;
  readonly lots: readonly Readonly<Lot>[];
  readonly payout: Amount | undefined;
};

const MICRO = 1_000_000;
const NOTHING: Released = { shares: 0, cost: 0, costFifo: 0 };

/**
 * Shares of one token with their cost, by average cost and first in first out. Average cost is the one Polymarket uses:
 * leaving shares take their part of the cost, rounded down, the rest keeps the remainder (PnL subgraph,
 * `pnl-subgraph`).
 */
export class Holding {
  readonly token: string;
  readonly condition: string;
  shares: Amount;
  cost: Amount;
  /** Cost of all remaining lots. */
  costFifo: Amount = 0;
  #lots: Lot[];
  /** Index of the oldest remaining lot. */
  #first = 0;
  payout: Amount | undefined;

  constructor(state: HoldingState) {
    this.token = state.token;
    this.condition = state.condition;
    this.shares = state.shares;
    this.cost = state.cost;
    this.#lots = state.lots.map((lot) => ({ ...lot }));
    for (const { cost } of state.lots) this.costFifo = addMicros(this.costFifo, cost);
    this.payout = state.payout;
  }

  /** The state to carry forward. */
  state(): HoldingState {
    const { token, condition, shares, cost, payout } = this;
    return { token, condition, shares, cost, payout, lots: this.#lots.slice(this.#first) };
  }

  add(shares: Amount, cost: Amount, costFifo: Amount = cost): void {
    if (shares <= 0) return;
    this.shares = addMicros(this.shares, shares);
    this.cost = addMicros(this.cost, cost);
    this.costFifo = addMicros(this.costFifo, costFifo);
    this.#lots.push({ shares, cost: costFifo });
  }

  /** Removes shares, up to the number held. */
  release(wanted: Amount): Released {
    const shares = wanted < this.shares ? wanted : this.shares;
    if (shares <= 0) return NOTHING;
    const cost = shares >= this.shares ? this.cost : mulDivFloor(this.cost, shares, this.shares);
    this.shares = lessMicros(this.shares, shares);
    this.cost = lessMicros(this.cost, cost);
    const costFifo = this.#releaseLots(shares);
    this.costFifo = lessMicros(this.costFifo, costFifo);
    return { shares, cost, costFifo };
  }

  #releaseLots(wanted: Amount): Amount {
    let left = wanted;
    let cost: Amount = 0;
    while (left > 0) {
      const lot = this.#lots[this.#first];
      if (lot === undefined) break;
      if (left < lot.shares) {
        const part = mulDivFloor(lot.cost, left, lot.shares);
        lot.shares = lessMicros(lot.shares, left);
        lot.cost = lessMicros(lot.cost, part);
        cost = addMicros(cost, part);
        break;
      }
      cost = addMicros(cost, lot.cost);
      left = lessMicros(left, lot.shares);
      this.#first += 1;
    }
    if (this.#first > 1000) {
      this.#lots = this.#lots.slice(this.#first);
      this.#first = 0;
    }
    return cost;
  }

  /** Values the shares at their payout from now on; returns the gain by both methods. */
  settle(payout: Amount): { readonly gain: Amount; readonly gainFifo: Amount } {
    const value = mulDivFloor(this.shares, payout, MICRO);
    const gains = { gain: lessMicros(value, this.cost), gainFifo: lessMicros(value, this.costFifo) };
    this.payout = payout;
    this.cost = value;
    this.costFifo = value;
    this.#lots = this.shares > 0 ? [{ shares: this.shares, cost: value }] : [];
    this.#first = 0;
    return gains;
  }
}
