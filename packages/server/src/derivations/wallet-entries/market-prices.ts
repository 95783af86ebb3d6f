import { addMicros, lessMicros, mulDivFloor } from "../../definition/micros.ts";
import type { Legs } from "./legs.ts";
import type { Market, Outcome } from "./outcomes.ts";

export const HOUR = 3600;
const DAY = 86_400;
const LATER_HOURS = 24;
const MICRO = 1e6;
/** Prices of a market are truncated at twelve places first. */
const PLACES = 1e12;

/** Sum of the contributions of a market's legs to the price of its first outcome, `usd` over `shares`. */
type Sum = { usd: number | bigint; shares: number | bigint };

/**
 * Volume-weighted prices of a resolved market's outcomes in millionths: in the day before the close, and in the 24
 * hours after an hour.
 */
export class MarketPrices {
  readonly #close: Sum = { usd: 0, shares: 0 };
  #first = 0;
  /** Running sums by hour: the total before each, from the first hour on. */
  #usd: (number | bigint)[] = [];
  #shares: (number | bigint)[] = [];

  constructor(market: Market, legs: Legs) {
    let [first, last] = [Number.POSITIVE_INFINITY, 0];
    eachLeg(market, legs, (_outcome, _leg, time) => {
      const hour = Math.floor(time / HOUR);
      first = Math.min(first, hour);
      last = Math.max(last, hour);
    });
    if (last === 0) return;
    this.#first = first;
    this.#usd = Array.from({ length: last - first + 2 }, () => 0);
    this.#shares = Array.from({ length: last - first + 2 }, () => 0);
    eachLeg(market, legs, (outcome, leg, time) => this.#add(outcome, legs, leg, time));
    for (let at = 1; at < this.#usd.length; at += 1) {
      this.#usd[at] = addMicros(this.#usd[at - 1] as number, this.#usd[at] as number);
      this.#shares[at] = addMicros(this.#shares[at - 1] as number, this.#shares[at] as number);
    }
  }

  /** NaN if nothing was traded in the day before the close. */
  close(outcome: Outcome): number {
    return priceOf(outcome, this.#close);
  }

  /** NaN if nothing was traded in the 24 hours after the hour. */
  after(outcome: Outcome, hour: number): number {
    const from = hour - this.#first + 1;
    const to = Math.min(from + LATER_HOURS, this.#usd.length - 1);
    const between = (sums: readonly (number | bigint)[]): number | bigint =>
      lessMicros(sums[to] as number, sums[from] as number);
    return priceOf(outcome, { usd: between(this.#usd), shares: between(this.#shares) });
  }

  #add({ isFirst, closeAt }: Outcome, legs: Legs, leg: number, time: number): void {
    const at = Math.floor(time / HOUR) - this.#first + 1;
    const shares = legs.shares(leg);
    const usd = isFirst ? legs.usd(leg) : lessMicros(shares, legs.usd(leg));
    this.#usd[at] = addMicros(this.#usd[at] as number, usd);
    this.#shares[at] = addMicros(this.#shares[at] as number, shares);
    if (time >= closeAt || time < closeAt - DAY) return;
    this.#close.usd = addMicros(this.#close.usd, usd);
    this.#close.shares = addMicros(this.#close.shares, shares);
  }
}

/** Visits the legs of a market up to its resolution. */
function eachLeg(market: Market, legs: Legs, visit: (outcome: Outcome, leg: number, time: number) => void): void {
  for (const outcome of market) {
    const { from, to } = legs.runOf(outcome.token);
    for (let leg = from; leg < to; leg += 1) {
      const time = legs.time(leg);
      if (time <= outcome.resolvedAt) visit(outcome, leg, time);
    }
  }
}

function priceOf({ isFirst }: Outcome, { usd, shares }: Sum): number {
  if (Number(shares) === 0) return Number.NaN;
  const first = Number(cutQuotient(usd, PLACES, shares));
  return Math.trunc((isFirst ? first : PLACES - first) / MICRO);
}

/** a·b/c truncated towards zero, as the engine divides; only `a` may be negative. */
export function cutQuotient(a: number | bigint, b: number, c: number | bigint): number | bigint {
  if (a >= 0) return mulDivFloor(a, b, c);
  const size = mulDivFloor(lessMicros(0, a), b, c);
  return lessMicros(0, size);
}
