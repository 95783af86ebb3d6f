import { addMicros, lessMicros, mulDivFloor } from "../../definition/micros.ts";
import type { Amount } from "./folded-wallet.ts";
import type { Holding } from "./holding.ts";

export type MarksOf = (token: string) => Marks | undefined;
/** Holdings at a day's end; 1e-6 USD. */
export type Held = {
  readonly cost: Amount;
  readonly value: Amount;
  readonly tokens: number;
};

/**
 * Shares whose condition is unresolved, split into integers and millionths: NaN if a number cannot represent them
 * exactly.
 */
type Open = {
  readonly shares: Amount;
  readonly cost: Amount;
  readonly whole: number;
  readonly part: number;
  readonly token: string;
  /** Read at the first valuation; null if there are none. */
  marks: Marks | null | undefined;
};

const MILLION = 1_000_000;

/**
 * A wallet's holdings, summed once and corrected when a holding changes: a day without an event costs only a lookup of
 * the marks of unresolved holdings.
 */
export class HeldTokens {
  readonly #marksOf: MarksOf;
  readonly #open = new Map<Holding, Open>();
  readonly #settled = new Map<Holding, Amount>();
  #openCost: Amount = 0;
  #settledCost: Amount = 0;

  constructor(marksOf: MarksOf, holdings: Iterable<Holding>) {
    this.#marksOf = marksOf;
    for (const holding of holdings) this.update(holding);
  }

  /** Replaces a token's holding by its current state. */
  update(holding: Holding): void {
    this.#forget(holding);
    const { shares, cost, payout, token } = holding;
    if (shares <= 0) return;
    if (payout !== undefined) {
      this.#settled.set(holding, cost);
      this.#settledCost = addMicros(this.#settledCost, cost);
      return;
    }
    const part = typeof shares === "number" ? shares % MILLION : Number.NaN;
    const whole = typeof shares === "number" ? (shares - part) / MILLION : Number.NaN;
    this.#open.set(holding, { shares, cost, part, whole, token, marks: undefined });
    this.#openCost = addMicros(this.#openCost, cost);
  }

  #forget(holding: Holding): void {
    const open = this.#open.get(holding);
    if (open !== undefined) {
      this.#openCost = lessMicros(this.#openCost, open.cost);
      this.#open.delete(holding);
    }
    const settled = this.#settled.get(holding);
    if (settled !== undefined) {
      this.#settledCost = lessMicros(this.#settledCost, settled);
      this.#settled.delete(holding);
    }
  }

  /** Whether there are unresolved holdings. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** All holdings at their cost. */
  atCost(): Held {
    const cost = addMicros(this.#openCost, this.#settledCost);
    return { cost, value: cost, tokens: this.#open.size };
  }

  /** Resolved shares count at their payout, others at the day's mark (days since 1970), or at cost without one. */
  at(day: number): Held {
    let number = 0;
    let unmarkedCost: Amount = 0;
    for (const open of this.#open.values()) {
      const { cost, whole, part } = open;
      const mark = this.#markOf(open, day);
      if (mark === undefined) unmarkedCost = addMicros(unmarkedCost, cost);
      else number += whole * mark + Math.floor((part * mark) / MILLION);
    }
    const marked = Number.isSafeInteger(number) ? number : this.#markedAt(day);
    return {
      cost: addMicros(this.#openCost, this.#settledCost),
      value: addMicros(addMicros(this.#settledCost, unmarkedCost), marked),
      tokens: this.#open.size,
    };
  }

  /** The same for amounts of any size. */
  #markedAt(day: number): Amount {
    let value: Amount = 0;
    for (const open of this.#open.values()) {
      const mark = this.#markOf(open, day);
      if (mark !== undefined) value = addMicros(value, mulDivFloor(mark, open.shares, MILLION));
    }
    return value;
  }

  #markOf(open: Open, day: number): number | undefined {
    if (open.marks === undefined) open.marks = this.#marksOf(open.token) ?? null;
    return open.marks === null ? undefined : newestMark(open.marks, day);
  }
}

/** Marks of a token: days since 1970, ascending, and 1e-6 USD per share on each. */
export type Marks = { readonly days: Uint16Array; readonly marks: Float64Array };

/** The newest mark on or before a day; undefined if there is none. */
export function newestMark({ days, marks }: Marks, day: number): number | undefined {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] ?? 0) <= day) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : marks[low - 1];
}
