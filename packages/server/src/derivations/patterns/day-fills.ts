import { KeyNumbers } from "../../definition/key-numbers.ts";
import { microsAt } from "../../definition/micros.ts";
import { sql, type Bound, type Sql } from "../../definition/sql.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { wordsOf } from "./day-rows.ts";

/** Column offsets in a RowBinary row, in 32-bit words: those of `fillsSql`, and of `marketsSql`. */
const [TX, WALLET, TOKEN, KIND, SHARES, USD, BLOCK, LOG, FILL] = [1, 9, 14, 22, 23, 25, 27, 28, 29];
const [CONDITION, IS_FIRST, MARKET] = [8, 16, 17];
const [BUY, MAKER, TAKER, SETS] = [1, 2, 4, 8];
const DAY_SECONDS = 86_400;
const WALLET_WORDS = 5;
const HASH_WORDS = 8;

/** Condition that a row with `ts` is on one of some UTC days. */
export const onDays = (days: Bound): Sql =>
  sql`ts >= toDateTime(arrayMin(${days}), 'UTC') AND ts < toDateTime(addDays(arrayMax(${days}), 1), 'UTC') AND has(${days}, toDate(ts, 'UTC'))`;

/** Fills of some days in time order. */
export const fillsSql = (days: Bound): Sql =>
  sql`SELECT ts, tx_hash, wallet, token_id, toUInt32((side = 'BUY') + 2 * (role = 'maker') + 4 * (role = 'taker') + 8 * (match_kind IN ('mint', 'merge'))) AS kind, shares, usd, block_number, log_index FROM ${polymarketFills} WHERE ${onDays(days)} AND shares > 0 ORDER BY ts, block_number, log_index, tx_hash`;

/** The tokens of these fills whose market is known, with it and whether they are its outcome 0. */
export const marketsSql = (days: Bound): Sql =>
  sql`SELECT token_id, condition_id, toUInt32(outcome_index = 0) FROM ${polymarketTokens} FINAL WHERE token_id IN (SELECT token_id FROM ${polymarketFills} WHERE ${onDays(days)})`;

/**
 * Fills processed before control returns to the event loop, which also serves requests; it does so before each day,
 * too.
 */
export const FILLS_PER_CYCLE = 20_000;

/** The fills of a UTC day (days since 1970): from `from` to before `to`. */
export type DayRun = { readonly day: number; readonly from: number; readonly to: number };

/**
 * Fills in time order, read in place without copying; wallets and markets are numbered from 0, amounts are in
 * millionths.
 */
export class DayFills {
  readonly words: Uint32Array;
  readonly #view: DataView;
  readonly #wallets = new KeyNumbers(WALLET_WORDS);
  readonly #markets = new KeyNumbers(HASH_WORDS);
  readonly #tokens = new KeyNumbers(HASH_WORDS);
  /** For each token twice the number of its market, plus one if it is its outcome 0. */
  readonly #sides: number[] = [];
  readonly #unknown: number;
  readonly count: number;

  constructor(fills: Uint8Array, markets: Uint8Array) {
    this.words = wordsOf(fills);
    this.#view = new DataView(this.words.buffer, this.words.byteOffset, this.words.byteLength);
    this.count = this.words.length / FILL;
    this.#unknown = this.#markets.of(new Uint32Array(HASH_WORDS), 0);
    const known = wordsOf(markets);
    for (let at = 0; at < known.length; at += MARKET) {
      const market = this.#markets.of(known, at + CONDITION);
      this.#sides[this.#tokens.of(known, at)] = 2 * market + (known[at + IS_FIRST] as number);
    }
  }

  /** The days in order, each with its range of fills. */
  *days(): Generator<DayRun> {
    for (let from = 0, to = 0; from < this.count; from = to) {
      const day = Math.floor(this.time(from) / DAY_SECONDS);
      while (to < this.count && this.time(to) < (day + 1) * DAY_SECONDS) to += 1;
      yield { day, from, to };
    }
  }

  /** Unix seconds. */
  time(fill: number): number {
    return this.words[fill * FILL] as number;
  }

  /** Word offset of its transaction hash. */
  txAt(fill: number): number {
    return fill * FILL + TX;
  }

  wallet(fill: number): number {
    return this.#wallets.of(this.words, fill * FILL + WALLET);
  }

  /**
   * Twice its market's number, plus one if it made the wallet longer of outcome 0. A token of an unknown market
   * counts as outcome 0 of one market for all such.
   */
  side(fill: number): number {
    const token = this.#tokens.find(this.words, fill * FILL + TOKEN);
    const side = token < 0 ? 2 * this.#unknown + 1 : (this.#sides[token] as number);
    return this.isBuy(fill) ? side : side ^ 1;
  }

  isKnown(market: number): boolean {
    return market !== this.#unknown;
  }

  isBuy(fill: number): boolean {
    return this.#is(fill, BUY);
  }

  isMaker(fill: number): boolean {
    return this.#is(fill, MAKER);
  }

  isTaker(fill: number): boolean {
    return this.#is(fill, TAKER);
  }

  /** Whether it was matched by minting or merging sets. */
  madeSets(fill: number): boolean {
    return this.#is(fill, SETS);
  }

  shares(fill: number): number | bigint {
    return microsAt(this.#view, (fill * FILL + SHARES) * 4);
  }

  usd(fill: number): number | bigint {
    return microsAt(this.#view, (fill * FILL + USD) * 4);
  }

  block(fill: number): number {
    return this.words[fill * FILL + BLOCK] as number;
  }

  logIndex(fill: number): number {
    return this.words[fill * FILL + LOG] as number;
  }

  /** Bytes of a wallet in the engine's form. */
  walletBytes(wallet: number): Uint8Array {
    return this.#wallets.bytes(wallet);
  }

  conditionBytes(market: number): Uint8Array {
    return this.#markets.bytes(market);
  }

  #is(fill: number, flag: number): boolean {
    return ((this.words[fill * FILL + KIND] as number) & flag) !== 0;
  }
}
