import type { KeyNumbers } from "../../definition/key-numbers.ts";
import type { RowsOfDay } from "./day-rows.ts";
import { STATE } from "./evidence-sql.ts";
import { PATTERN } from "./pattern-constants.ts";
import type { PatternState } from "./score-ties.ts";

export type Pattern = PatternState["pattern"];
/** In the order of their numbers in the table, which begin at 1. */
export const PATTERNS: readonly Pattern[] = ["wash", "sybil", "farmer", "both_sides"];

/** The newest state of each wallet and pattern, maintained day by day. */
export class LatestStates {
  /** By wallet and pattern: the day, and whether the score was above 0. */
  readonly #newest: ({ readonly day: number; readonly isOn: boolean } | undefined)[] = [];

  note(day: number, wallet: number, pattern: Pattern, isOn: boolean): void {
    this.#newest[wallet * PATTERNS.length + PATTERNS.indexOf(pattern)] = { day, isOn };
  }

  /** Adds rows of `statesSql`. */
  noteRows({ words, from, to }: RowsOfDay, wallets: KeyNumbers): void {
    for (let row = from; row < to; row += STATE.width) {
      const pattern = PATTERNS[(words[row + STATE.pattern] as number) - 1] as Pattern;
      this.note(words[row] as number, wallets.of(words, row + STATE.wallet), pattern, words[row + STATE.isOn] === 1);
    }
  }

  /** Patterns of a wallet's newest state before a day, within the window that the day's state depends on. */
  before(day: number, wallet: number): Pattern[] {
    return PATTERNS.filter((_pattern, index) => {
      const newest = this.#newest[wallet * PATTERNS.length + index];
      return newest !== undefined && newest.isOn && newest.day < day && newest.day > day - PATTERN.days;
    });
  }
}
