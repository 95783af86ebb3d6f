import type { Level } from "./book-side.ts";
import type { BookMessage } from "./read-frame.ts";
import { createHash } from "node:crypto";

/** A book with the venue's hash of it. */
export type Hashed = {
  readonly ms: number;
  readonly hash: string | undefined;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
};

const CHECK_EVERY_MS = 1000;
/** A single mismatch may be due to a last price not received yet; the next one is a gap. */
const MISSES = 2;
/** After this many gaps found by hash alone the venue has changed its recipe, and the check is disabled. */
const STRIKES = 3;

/**
 * Checks the venue's book hashes as long as the recipe is known to hold: it is tried on every full book, with the parts
 * that the book does not state guessed among the usual ones, and used on changes only while it matched there.
 */
export class HashCheck {
  #parts: HashParts | undefined;
  #earlierPrice = "";
  #checkedMs = 0;
  #misses = 0;
  #strikes = 0;
  #provenMs = 0;

  /** The venue's time at which the book was last known to match its own. */
  get provenMs(): number {
    return this.#provenMs;
  }

  /** Learns the parts from a full book. */
  learn(book: BookMessage, hashed: Hashed): void {
    this.#misses = 0;
    this.#checkedMs = 0;
    this.#parts = undefined;
    this.#provenMs = hashed.ms;
    if (hashed.hash === undefined || this.#strikes >= STRIKES) return;
    this.#parts = guesses(book).find((parts) => hashOf(parts, hashed) === hashed.hash);
  }

  /** The book matched the venue's own, fetched over REST, at that time. */
  proved(ms: number): void {
    this.#provenMs = Math.max(this.#provenMs, ms);
  }

  /** From now on the hash includes this print's price. */
  printed(market: string, price: string): void {
    if (this.#parts?.market !== market) return;
    this.#earlierPrice = this.#parts.last_trade_price;
    this.#parts = { ...this.#parts, last_trade_price: price };
  }

  /** The hash includes the market's new tick size from now on. False if the recipe is unknown and proves nothing. */
  regridded(market: string, tickSize: string): boolean {
    if (this.#parts === undefined) return false;
    if (this.#parts.market === market) this.#parts = { ...this.#parts, tick_size: tickSize };
    return true;
  }

  /** False if the book certainly differs from the venue's. Checked about once a second of the venue's time. */
  holds(ms: number, book: () => Hashed): boolean {
    const parts = this.#parts;
    if (parts === undefined || ms - this.#checkedMs < CHECK_EVERY_MS) return true;
    const hashed = book();
    if (hashed.hash === undefined) return true;
    this.#checkedMs = ms;
    const earlier = { ...parts, last_trade_price: this.#earlierPrice };
    if (hashOf(parts, hashed) === hashed.hash || hashOf(earlier, hashed) === hashed.hash) {
      this.#misses = 0;
      this.#strikes = 0;
      this.#provenMs = ms;
      return true;
    }
    this.#checkedMs = 0;
    this.#misses += 1;
    if (this.#misses < MISSES) return true;
    this.#strikes += 1;
    return false;
  }
}

function hashOf(parts: HashParts, { ms, bids, asks }: Hashed): string {
  return bookHash(parts, ms, bids, asks);
}

function guesses(book: BookMessage): HashParts[] {
  const sizes = book.min_order_size === undefined ? ["5", "15", "1"] : [book.min_order_size];
  const ticks = book.tick_size === undefined ? ["0.01", "0.001"] : [book.tick_size];
  const flags = book.neg_risk === undefined ? [false, true] : [book.neg_risk];
  const { market, asset_id, last_trade_price = "" } = book;
  return sizes.flatMap((min_order_size) =>
    ticks.flatMap((tick_size) =>
      flags.map((neg_risk) => ({ market, asset_id, min_order_size, tick_size, neg_risk, last_trade_price })),
    ),
  );
}

/** The market fields that go into its book's hash besides the levels, as the texts the venue uses. */
export type HashParts = {
  readonly market: string;
  readonly asset_id: string;
  readonly min_order_size: string;
  readonly tick_size: string;
  readonly neg_risk: boolean;
  readonly last_trade_price: string;
};

/**
 * The venue's hash of a book: SHA-1 over the JSON of its REST form with an empty hash, bids and asks in its order (bids
 * rising, asks falling). Not documented; it holds for the 4 books and 4 changes of the recorded frames
 * (ws_market/fleet_ws_messages_market_only.log), with the timestamp of the message.
 */
export function bookHash(parts: HashParts, timestamp: number, bids: readonly Level[], asks: readonly Level[]): string {
  const form = {
    market: parts.market,
    asset_id: parts.asset_id,
    timestamp: String(timestamp),
    hash: "",
    bids: bids.map(plain),
    asks: asks.map(plain),
    min_order_size: parts.min_order_size,
    tick_size: parts.tick_size,
    neg_risk: parts.neg_risk,
    last_trade_price: parts.last_trade_price,
  };
  return createHash("sha1").update(JSON.stringify(form)).digest("hex");
}

/** Only the hashed fields, in the order they are written. */
function plain({ price, size }: Level): Level {
  return { price, size };
}
