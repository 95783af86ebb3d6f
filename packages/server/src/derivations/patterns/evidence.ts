import { addMicros, lessMicros, microsAt } from "../../definition/micros.ts";
import { KeyNumbers } from "../../definition/key-numbers.ts";
import type { RowsOfDay } from "./day-rows.ts";
import { HABIT, PAIR } from "./evidence-sql.ts";
import { PATTERN } from "./pattern-constants.ts";

const WALLET_WORDS = 5;
/** Fewest meetings that make two wallets a tie, by the number of the pair's kind in the table. */
const LEAST = [0, PATTERN.wash.pairs, PATTERN.sybil.pairs];

/** A wallet's activity in the days of the evidence; amounts in millionths. */
const nothing = () => ({
  days: 0,
  lastDay: 0,
  fills: 0,
  makerFills: 0,
  entries: 0,
  quoted: 0,
  twoSided: 0,
  sets: 0,
  usd: 0 as number | bigint,
  boughtShares: 0 as number | bigint,
  boughtUsd: 0 as number | bigint,
  sureUsd: 0 as number | bigint,
});
export type Habit = ReturnType<typeof nothing>;

/** Meetings of two wallets (by number) in these days. */
export type PairSum = {
  readonly isMatch: boolean;
  readonly a: number;
  readonly b: number;
  n: number;
  up: number;
  usd: number | bigint;
  expected: number;
  times: number;
};

/** Sums over a window of days; days are added and subtracted again. */
export class Evidence {
  readonly wallets = new KeyNumbers(WALLET_WORDS);
  readonly #habits: (Habit | undefined)[] = [];
  readonly #pairNumbers = new KeyNumbers(3);
  readonly #pairs: PairSum[] = [];
  readonly #often = new Set<PairSum>();
  readonly #key = new Uint32Array(3);
  #traders = 0;

  /** Number of wallets that traded. */
  get traders(): number {
    return this.#traders;
  }

  /** Pairs that met often enough for a tie. */
  get often(): ReadonlySet<PairSum> {
    return this.#often;
  }

  /** Undefined for a wallet that did not trade. */
  habit(wallet: number): Habit | undefined {
    const habit = this.#habits[wallet];
    return habit && habit.days > 0 ? habit : undefined;
  }

  /** 0x-hex. */
  idOf(wallet: number): string {
    return `0x${Buffer.from(this.wallets.bytes(wallet)).toString("hex")}`;
  }

  /** Adds the rows of `habitsSql` of a day, or subtracts them again; returns their wallets. */
  changeHabits({ words, view, from, to }: RowsOfDay, isAdded: boolean): number[] {
    const [sign, change] = isAdded ? [1, addMicros] : [-1, lessMicros];
    const changed: number[] = [];
    for (let row = from; row < to; row += HABIT.width) {
      const count = (at: number): number => sign * (words[row + at] as number);
      const micros = (at: number): number | bigint => microsAt(view, (row + at) * 4);
      const wallet = this.wallets.of(words, row + HABIT.wallet);
      changed.push(wallet);
      const did = (this.#habits[wallet] ??= nothing());
      if (isAdded) did.lastDay = words[row] as number;
      const before = did.days;
      did.days += sign;
      this.#traders += Number(did.days > 0) - Number(before > 0);
      did.fills += count(HABIT.fills);
      did.makerFills += count(HABIT.makerFills);
      did.entries += count(HABIT.entries);
      did.quoted += count(HABIT.quoted);
      did.twoSided += count(HABIT.twoSided);
      did.sets += count(HABIT.sets);
      did.usd = change(did.usd, micros(HABIT.usd));
      did.boughtShares = change(did.boughtShares, micros(HABIT.boughtShares));
      did.boughtUsd = change(did.boughtUsd, micros(HABIT.boughtUsd));
      did.sureUsd = change(did.sureUsd, micros(HABIT.sureUsd));
    }
    return changed;
  }

  /** Adds the rows of `pairsSql` of a day, or subtracts them again. */
  changePairs({ words, view, from, to }: RowsOfDay, isAdded: boolean): void {
    const [sign, change] = isAdded ? [1, addMicros] : [-1, lessMicros];
    for (let row = from; row < to; row += PAIR.width) {
      const [a, b] = [this.wallets.of(words, row + PAIR.a), this.wallets.of(words, row + PAIR.b)];
      const kind = words[row + PAIR.kind] as number;
      this.#key.set([kind, a, b]);
      const pair = (this.#pairs[this.#pairNumbers.of(this.#key, 0)] ??= {
        isMatch: kind === 1,
        a,
        b,
        n: 0,
        up: 0,
        usd: 0,
        expected: 0,
        times: 0,
      });
      pair.n += sign * (words[row + PAIR.n] as number);
      pair.up += sign * (words[row + PAIR.up] as number);
      pair.usd = change(pair.usd, microsAt(view, (row + PAIR.usd) * 4));
      pair.times += sign;
      // Set to exactly 0, because a sum of floats is not once all of them are subtracted.
      pair.expected = pair.times === 0 ? 0 : pair.expected + sign * view.getFloat64((row + PAIR.expected) * 4, true);
      if (pair.n >= (LEAST[kind] as number)) this.#often.add(pair);
      else this.#often.delete(pair);
    }
  }
}
