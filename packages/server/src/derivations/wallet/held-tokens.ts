import { floorDiv, type Holding } from "./holding.ts";
import { newestMark, type Marks } from "./newest-mark.ts";

export type MarksOf = (token: string) => Marks | undefined;
/** What is held at a day's end; 1e-6 USD. */
export type Held = {
  readonly cost: bigint;
  readonly value: bigint;
  readonly tokens: number;
  readonly unmarked: number;
};

/** Shares whose condition is not resolved, as whole ones and millionths: in numbers, NaN where those are not exact. */
type Open = { readonly cost: bigint; readonly whole: number; readonly part: number; readonly marks: Marks | undefined };

const MICRO = 1_000_000n;
const MILLION = 1_000_000;

/**
 * What a wallet holds, summed up once and corrected when a holding changes: a day without an event costs only a look at
 * the marks of what is not resolved.
 */
export class HeldTokens {
  readonly #marksOf: MarksOf;
  readonly #open = new Map<Holding, Open>();
  readonly #settled = new Map<Holding, bigint>();
  #openCost = 0n;
  #settledCost = 0n;

  constructor(marksOf: MarksOf, holdings: Iterable<Holding>) {
    this.#marksOf = marksOf;
    for (const holding of holdings) this.update(holding);
  }

  /** Takes over what is held of a token by now. */
  update(holding: Holding): void {
    this.#openCost -= this.#open.get(holding)?.cost ?? 0n;
    this.#settledCost -= this.#settled.get(holding) ?? 0n;
    this.#open.delete(holding);
    this.#settled.delete(holding);
    const { shares, cost, payout, token } = holding;
    if (shares === 0n) return;
    if (payout !== undefined) {
      this.#settled.set(holding, cost);
      this.#settledCost += cost;
      return;
    }
    const number = Number(shares);
    const part = Number.isSafeInteger(number) ? number % MILLION : Number.NaN;
    this.#open.set(holding, { cost, part, whole: (number - part) / MILLION, marks: this.#marksOf(token) });
    this.#openCost += cost;
  }

  /** Something is held that is not resolved. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Resolved shares count at their payout, others at the day's mark (days since 1970), those without one at cost. */
  at(day: number): Held {
    let [number, exact, unmarked] = [0, 0n, 0];
    for (const { cost, whole, part, marks } of this.#open.values()) {
      const mark = marks && newestMark(marks, day);
      if (mark === undefined) {
        unmarked += 1;
        exact += cost;
      } else number += whole * mark + Math.floor((part * mark) / MILLION);
    }
    const marked = Number.isSafeInteger(number) ? BigInt(number) : this.#markedAt(day);
    return {
      cost: this.#openCost + this.#settledCost,
      value: this.#settledCost + exact + marked,
      tokens: this.#open.size,
      unmarked,
    };
  }

  /** The same in integers of any size. */
  #markedAt(day: number): bigint {
    let value = 0n;
    for (const [{ shares }, { marks }] of this.#open) {
      const mark = marks && newestMark(marks, day);
      if (mark !== undefined) value += floorDiv(shares * BigInt(mark), MICRO);
    }
    return value;
  }
}
