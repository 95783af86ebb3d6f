import type { Hex, MatchHappening } from "../contract.ts";
import { HASH_KIND, mixHex } from "../core/mix-hash.ts";
import { type IncomePayment, type IncomeWorld, REBATE_RATE_E4 } from "../income-contract.ts";
import type { PolymarketState } from "./polymarket-state.ts";

const HOUR = 3_600_000;
/** Reward pool of a market per hour of quotes. Up/down windows have none. */
const POOL_MICRO_AN_HOUR = 50_000;

/** Rewards of a time span: each market's pool goes to its makers, two thirds to the first if there are two. */
function liquidityRewards(
  state: Pick<PolymarketState, "markets" | "wallets">,
  from: number,
  to: number,
): Map<Hex, number> {
  const earned = new Map<Hex, number>();
  for (const { core, created_ms, closed_ms } of state.markets) {
    const live = Math.min(closed_ms ?? to, to) - Math.max(created_ms, from);
    if (live <= 0 || core.plan.asset !== null) continue;
    const pool = Math.floor((POOL_MICRO_AN_HOUR * live) / HOUR);
    const first = core.makers.length > 1 ? Math.floor((pool * 2) / 3) : pool;
    for (const [place, part] of [first, pool - first].entries()) {
      const wallet = state.wallets[core.makers[place] ?? -1]?.address;
      if (wallet !== undefined) earned.set(wallet, (earned.get(wallet) ?? 0) + part);
    }
  }
  return earned;
}

/** All share sizes are multiples of this; dividing by it keeps products exact. */
const SIZE_STEP = 10_000;

/** Rebates of some matches: the takers' fees by maker whose resting shares earned them, times the rebate rate. */
function makerRebates(matches: Iterable<MatchHappening>): Map<Hex, number> {
  const earned = new Map<Hex, number>();
  for (const { taker, makers, is_dropped } of matches) {
    if (is_dropped === true || taker.fee_micro === 0) continue;
    const filled = taker.shares_micro / SIZE_STEP;
    for (const { wallet, shares_micro } of makers) {
      const part = Math.floor((taker.fee_micro * (shares_micro / SIZE_STEP)) / filled);
      earned.set(wallet, (earned.get(wallet) ?? 0) + part);
    }
  }
  const rebates = [...earned].map(([wallet, fees]): [Hex, number] => [
    wallet,
    Math.floor((fees * REBATE_RATE_E4) / 10_000),
  ]);
  return new Map(rebates);
}

const DAY = 86_400_000;
/** Delay after the end of the UTC day, so that no block of the day can be dropped any more. */
const PAID_AFTER = { REWARD: 600_000, MAKER_REBATE: 1_200_000 } as const;

export interface IncomeParts {
  seed: number;
  state: PolymarketState;
  start: number;
  reached: () => number;
}

/**
 * Liquidity rewards and maker rebates, paid daily. Computed on request, from past happenings and without random
 * numbers, so that requesting them never changes the world.
 */
export class Income implements IncomeWorld {
  private readonly parts: IncomeParts;
  private readonly paid: IncomePayment[] = [];
  private readonly byWallet: Map<string, IncomePayment[]> = new Map();
  /** Start of the next day to be paid. */
  private day: number;
  /** Index of the first unpaid match. */
  private match = 0;

  constructor(parts: IncomeParts) {
    this.parts = parts;
    this.day = Math.floor(parts.start / DAY) * DAY;
  }

  all(): readonly IncomePayment[] {
    while (this.day + DAY + PAID_AFTER.MAKER_REBATE <= this.parts.reached()) this.payDay();
    return this.paid;
  }

  of(address: string): readonly IncomePayment[] {
    this.all();
    return this.byWallet.get(address.toLowerCase()) ?? [];
  }

  private payDay(): void {
    const end = this.day + DAY;
    this.pay("REWARD", end, liquidityRewards(this.parts.state, this.day, end));
    this.pay("MAKER_REBATE", end, makerRebates(this.matchesBefore(end)));
    this.day = end;
  }

  private *matchesBefore(end: number): Generator<MatchHappening> {
    const { matches } = this.parts.state;
    for (;;) {
      const match = matches[this.match];
      if (match === undefined || match.block_ms >= end) return;
      this.match += 1;
      yield match;
    }
  }

  private pay(type: keyof typeof PAID_AFTER, end: number, amounts: ReadonlyMap<Hex, number>): void {
    const number = (end / DAY) * 2 + (type === "REWARD" ? 0 : 1);
    const tx_hash = mixHex(this.parts.seed, HASH_KIND.income, number);
    for (const [wallet, amount_micro] of amounts) {
      if (amount_micro === 0) continue;
      const seq = this.paid.length + 1;
      const payment = { seq, ms: end + PAID_AFTER[type], wallet, type, amount_micro, tx_hash };
      this.paid.push(payment);
      const own = this.byWallet.get(wallet);
      if (own === undefined) this.byWallet.set(wallet, [payment]);
      else own.push(payment);
    }
  }
}
