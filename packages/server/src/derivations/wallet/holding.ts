/** Shares of one purchase and what they cost, 1e-6. */
export type Lot = { shares: bigint; cost: bigint };

/** What leaves a holding: how many of the shares were held, and their cost by both methods. */
export type Released = { readonly shares: bigint; readonly cost: bigint; readonly costFifo: bigint };

/** The state of one token of a wallet that is carried from day to day. */
export type HoldingState = {
  readonly token: string;
  readonly condition: string;
  readonly shares: bigint;
  readonly cost: bigint;
  readonly lots: readonly Lot[];
  readonly payout: bigint | undefined;
};

/**
 * Shares of one token with their cost, by average cost and first in first out. Average cost is the one Polymarket uses:
 * what leaves takes its part of the cost, rounded down, the rest keeps the remainder (PnL subgraph, `pnl-subgraph`).
 */
export class Holding {
  readonly token: string;
  readonly condition: string;
  shares: bigint;
  cost: bigint;
  lots: Lot[];
  /** Index of the oldest lot that is left. */
  #first = 0;
  payout: bigint | undefined;

  constructor(state: HoldingState) {
    this.token = state.token;
    this.condition = state.condition;
    this.shares = state.shares;
    this.cost = state.cost;
    this.lots = state.lots.map((lot) => ({ ...lot }));
    this.payout = state.payout;
  }

  get costFifo(): bigint {
    let cost = 0n;
    for (let index = this.#first; index < this.lots.length; index += 1) cost += this.lots[index]?.cost ?? 0n;
    return cost;
  }

  /** How many lots are left. */
  get openCount(): number {
    return this.lots.length - this.#first;
  }

  /** Calls `visit` with each lot that is left, oldest first. */
  eachOpen(visit: (lot: Readonly<Lot>) => void): void {
    for (let index = this.#first; index < this.lots.length; index += 1) {
      const lot = this.lots[index];
      if (lot !== undefined) visit(lot);
    }
  }

  add(shares: bigint, cost: bigint, costFifo: bigint = cost): void {
    if (shares <= 0n) return;
    this.shares += shares;
    this.cost += cost;
    this.lots.push({ shares, cost: costFifo });
  }

  /** Takes shares away, as many as are held. */
  release(wanted: bigint): Released {
    const shares = wanted < this.shares ? wanted : this.shares;
    if (shares <= 0n) return { shares: 0n, cost: 0n, costFifo: 0n };
    const cost = shares === this.shares ? this.cost : floorDiv(this.cost * shares, this.shares);
    this.shares -= shares;
    this.cost -= cost;
    return { shares, cost, costFifo: this.#releaseLots(shares) };
  }

  #releaseLots(wanted: bigint): bigint {
    let left = wanted;
    let cost = 0n;
    while (left > 0n) {
      const lot = this.lots[this.#first];
      if (lot === undefined) break;
      const part = left < lot.shares ? left : lot.shares;
      const partCost = part === lot.shares ? lot.cost : floorDiv(lot.cost * part, lot.shares);
      lot.shares -= part;
      lot.cost -= partCost;
      cost += partCost;
      left -= part;
      if (lot.shares === 0n) this.#first += 1;
    }
    if (this.#first > 1000) {
      this.lots = this.lots.slice(this.#first);
      this.#first = 0;
    }
    return cost;
  }

  /** Worth its payout from now on; returns what that gains by both methods. */
  settle(payout: bigint): { readonly gain: bigint; readonly gainFifo: bigint } {
    const value = floorDiv(this.shares * payout, 1_000_000n);
    const gains = { gain: value - this.cost, gainFifo: value - this.costFifo };
    this.payout = payout;
    this.cost = value;
    this.lots = this.shares === 0n ? [] : [{ shares: this.shares, cost: value }];
    this.#first = 0;
    return gains;
  }
}

/** a/b rounded down, for b > 0. */
export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a < 0n && quotient * b !== a ? quotient - 1n : quotient;
}
