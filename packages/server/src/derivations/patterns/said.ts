import type { KeyNumbers } from "../../definition/key-numbers.ts";
import type { RowsOfDay } from "./day-rows.ts";
import { SAID } from "./evidence-sql.ts";
import { PATTERN } from "./pattern-constants.ts";
import type { PatternState } from "./score-ties.ts";

export type Pattern = PatternState["pattern"];
/** By their numbers in the table, less one. */
export const PATTERNS: readonly Pattern[] = ["wash", "sybil", "farmer", "both_sides"];

/** The newest word on each wallet and pattern, day by day. */
export class Said {
  /** By wallet and pattern the day, and whether it was more than nothing. */
  readonly #newest: ({ readonly day: number; readonly isOn: boolean } | undefined)[] = [];

  say(day: number, wallet: number, pattern: Pattern, isOn: boolean): void {
    this.#newest[wallet * PATTERNS.length + PATTERNS.indexOf(pattern)] = { day, isOn };
  }

  /** Rows of `saidSql`. */
  sayRows({ words, from, to }: RowsOfDay, wallets: KeyNumbers): void {
    for (let row = from; row < to; row += SAID.width) {
      const pattern = PATTERNS[(words[row + SAID.pattern] as number) - 1] as Pattern;
      this.say(words[row] as number, wallets.of(words, row + SAID.wallet), pattern, words[row + SAID.isOn] === 1);
    }
  }

  /** Patterns that a wallet was said to show last, in the days that a state as of a day rests on. */
  before(day: number, wallet: number): Pattern[] {
    return PATTERNS.filter((_pattern, index) => {
      const newest = this.#newest[wallet * PATTERNS.length + index];
      return newest !== undefined && newest.isOn && newest.day < day && newest.day > day - PATTERN.days;
    });
  }
}
