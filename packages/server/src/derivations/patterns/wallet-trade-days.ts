import { defineDaysDerivation } from "../../definition/day-derivation.ts";
import { sql, type Bound, type Sql } from "../../definition/sql.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketPositionChanges } from "../../tables/polymarket-position-changes.ts";
import { walletTradeDays } from "../../tables/wallet-trade-days.ts";
import { daysOf, fillsByDay, BINARY, rowsByDay } from "./rows-by-day.ts";
import { writeTradeDay } from "./write-trade-day.ts";
import { KeyNumbers } from "../../definition/key-numbers.ts";
import { onDays } from "./day-fills.ts";
import { wordsOf } from "./day-rows.ts";

/** A row is a day, a wallet and a number, in 32-bit words. */
const [COUNT, ROW] = [6, 7];

/** Splits and merges of complete sets by day and wallet. */
const setEventsSql = (days: Bound): Sql =>
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

  /** Number for a wallet on a day. */
  of(day: number, wallet: Uint8Array): number {
    this.#key[0] = day;
    this.#bytes.set(wallet, 4);
    const row = this.#rows.find(this.#key, 0);
    return row < 0 ? 0 : (this.#words[row * ROW + COUNT] as number);
  }
}

/** Fills, splits and merges of a day → how each wallet traded. */
export const walletTradeDaysFromFills = defineDaysDerivation({
  name: "wallet-trade-days",
  title: "Daily trading of wallets",
  from: [polymarketFills, polymarketPositionChanges],
  into: walletTradeDays,
  after: [],
  touched: ({ since }) =>
    sql`${daysOf(polymarketFills, since)} UNION DISTINCT ${daysOf(polymarketPositionChanges, since)}`,
  sizes: fillsByDay,
  rowsOfSlice: async function* (days, _slice, readBytes) {
    const sets = new SetEvents(await readBytes(setEventsSql(days), BINARY));
    yield* rowsByDay(days, readBytes, (row, fills, run) => writeTradeDay(row, fills, run, sets));
  },
});
