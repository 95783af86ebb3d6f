import { KeyNumbers } from "../../definition/key-numbers.ts";
import { sql, type Bound, type Sql } from "../../definition/sql.ts";
import { polymarketPositionChanges } from "../../tables/polymarket-position-changes.ts";
import { onDays } from "./day-fills.ts";
import { wordsOf } from "./words-of.ts";

/** A day, a wallet, and a number: words of 32 bits. */
const [COUNT, ROW] = [6, 7];

/** Splits and merges of complete sets by day and wallet. */
export const setEventsSql = (days: Bound): Sql =>
  sql`SELECT toUInt32(toDate(ts, 'UTC')) AS day, wallet, toUInt32(count()) AS n FROM ${polymarketPositionChanges} WHERE ${onDays(days)} AND NOT is_inner AND kind IN ('split', 'merge') GROUP BY day, wallet`;

export class SetEvents {
  readonly #words: Uint32Array;
  readonly #rows = new KeyNumbers(COUNT);
  readonly #key = new Uint32Array(COUNT);
  readonly #bytes = new Uint8Array(this.#key.buffer);

  constructor(bytes: Uint8Array) {
    this.#words = wordsOf(bytes);
    for (let at = 0; at < this.#words.length; at += ROW) this.#rows.of(this.#words, at);
  }

  /** Of a wallet on a day. */
  of(day: number, wallet: Uint8Array): number {
    this.#key[0] = day;
    this.#bytes.set(wallet, 4);
    const row = this.#rows.find(this.#key, 0);
    return row < 0 ? 0 : (this.#words[row * ROW + COUNT] as number);
  }
}
