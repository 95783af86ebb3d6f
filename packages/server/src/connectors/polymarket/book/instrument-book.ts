import type { InsertRow } from "../../../definition/table.ts";
import { bookRow, SeqCounter } from "./book-rows.ts";
import { toMicro } from "../exact/values.ts";
import { BookSide, type BookChange, type ChangedLevel } from "./book-side.ts";
import { HashCheck } from "./hash-check.ts";
import type { BookMessage } from "./read-frame.ts";

/** Rows made, and the reason if the book is no longer trusted. */
export type BookOutcome = {
  readonly rows: readonly InsertRow[];
  readonly broken?: string;
  /** The venue's time (Unix ms) at which it was last known to be right. */
  readonly since?: number;
  /** True if a full book made it trusted again. */
  readonly isRestored?: boolean;
};

const CHECKPOINT_CHANGES = 500;
const CHECKPOINT_MS = 600_000;
/** Changes kept while waiting for a full book. */
const MAX_WAITING = 5000;
const MAX_RECENT = 64;

/** One token's book, from full books and changes. While it is not trusted, changes wait for the next full book. */
export class InstrumentBook {
  readonly #id: string;
  readonly #bids = new BookSide();
  readonly #asks = new BookSide();
  readonly #seq = new SeqCounter();
  readonly #hash = new HashCheck();
  readonly #recent = new Set<string>();
  #isTrusted = false;
  #isGone = false;
  #waiting: BookChange[] = [];
  #ms = 0;
  /** The hash of the last full book, until a change follows it. */
  #wholeHash: string | undefined;
  #changes = 0;
  #checkpointMs = 0;

  constructor(id: string) {
    this.#id = id;
  }

  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  /** True if it has no levels or is not trusted: a venue without a book for it does not contradict it. */
  get isEmpty(): boolean {
    return !this.#isTrusted || (this.#bids.best("highest") === null && this.#asks.best("lowest") === null);
  }

  /**
   * Whether a full book requested at that time shows no missed change; also true while a full book is awaited, and for
   * one older than the last change, which proves nothing.
   */
  follows(book: BookMessage, requestedMs: number): boolean {
    if (!this.#isTrusted || book.timestamp < this.#ms) return true;
    const isSame = book.hash !== undefined && book.hash === this.#wholeHash;
    if (!isSame && !this.#isLike(book)) return false;
    this.#hash.proved(requestedMs);
    return true;
  }

  #isLike(book: BookMessage): boolean {
    const [bids, asks] = [new BookSide(), new BookSide()];
    bids.replace(book.bids, book.timestamp);
    asks.replace(book.asks, book.timestamp);
    return textOf(bids) === textOf(this.#bids) && textOf(asks) === textOf(this.#asks);
  }

  /** The venue has no book for it: stored once as an empty one. It does not become trusted. */
  gone(atMs: number): BookOutcome {
    if (this.#isGone || this.#isTrusted) return { rows: [] };
    this.#isGone = true;
    this.#bids.replace([], atMs);
    this.#asks.replace([], atMs);
    this.#ms = Math.max(this.#ms, atMs);
    return { rows: [this.#snapshot(this.#seq.adopt(this.#ms), this.#ms, "")] };
  }

  /** A trade of a market: if this token's, its price goes into the venue's hash. */
  printed(market: string, price: string): void {
    this.#hash.printed(market, price);
  }

  /** A market's new tick size. Levels keep their prices; if the hash cannot confirm the book, a full book is needed. */
  regridded(market: string, tickSize: string, isThis: boolean): BookOutcome {
    if (this.#hash.regridded(market, tickSize) || !isThis || !this.#isTrusted) return { rows: [] };
    return this.distrust("the tick size changed");
  }

  /** Marks the book as no longer trusted. */
  distrust(reason: string): BookOutcome {
    this.#isTrusted = false;
    this.#waiting = [];
    return { rows: [], broken: reason, since: this.#hash.provenMs };
  }

  /** A full book. One older than the current state is stored under its own time and changes nothing here. */
  whole(book: BookMessage): BookOutcome {
    const ms = book.timestamp;
    // The initial dump after a book fetched over REST: the same book again.
    if (this.#isTrusted && ms === this.#ms && book.hash !== undefined && book.hash === this.#wholeHash)
      return { rows: [] };
    const isRestored = !this.#isTrusted;
    this.#isGone = false;
    if (this.#isTrusted && ms < this.#ms) return { rows: [wholeRow(this.#id, book, this.#seq.next(ms))] };
    this.#bids.replace(book.bids, ms);
    this.#asks.replace(book.asks, ms);
    this.#ms = ms;
    this.#wholeHash = book.hash;
    const seq = this.#isTrusted ? this.#seq.next(ms) : this.#seq.adopt(ms);
    const rows = [this.#snapshot(seq, ms, book.hash ?? "")];
    this.#hash.learn(book, this.#hashed(ms, book.hash));
    const waiting = this.#isTrusted ? [] : since(this.#waiting, book);
    this.#waiting = [];
    this.#isTrusted = true;
    if (this.#isCrossed()) return { rows, ...distrusted(this, "the book is crossed") };
    for (const change of waiting) {
      const outcome = this.change(change);
      rows.push(...outcome.rows);
      if (outcome.broken !== undefined) return { ...outcome, rows };
    }
    return { rows, isRestored };
  }

  /** Changed levels. A repeated message is skipped; a late one is stored under its own time. */
  change(change: BookChange): BookOutcome {
    if (!this.#isTrusted) {
      if (this.#waiting.length >= MAX_WAITING) this.#waiting.shift();
      this.#waiting.push(change);
      return { rows: [] };
    }
    if (this.#isRepeated(change)) return { rows: [] };
    for (const level of change.levels) (level.side === "BUY" ? this.#bids : this.#asks).set(level, change.ms);
    const rows = [this.#changeRow(change)];
    if (change.ms < this.#ms) return { rows };
    this.#ms = change.ms;
    this.#wholeHash = undefined;
    const reason = this.#fault(change);
    if (reason !== undefined) return { rows, ...distrusted(this, reason) };
    this.#changes += 1;
    if (this.#changes >= CHECKPOINT_CHANGES || change.ms - this.#checkpointMs >= CHECKPOINT_MS) {
      rows.push(this.#snapshot(this.#seq.next(change.ms), change.ms, change.hash ?? ""));
    }
    return { rows };
  }

  /** The reason to assume a missed message; undefined if there is none. */
  #fault({ ms, hash, bestBid, bestAsk }: BookChange): string | undefined {
    if (this.#isCrossed()) return "the book is crossed";
    if (bestBid !== undefined && bestBid !== this.#bids.best("highest")) return "the best bid differs from the venue's";
    if (bestAsk !== undefined && bestAsk !== this.#asks.best("lowest")) return "the best ask differs from the venue's";
    return this.#hash.holds(ms, () => this.#hashed(ms, hash)) ? undefined : "the hash differs from the venue's";
  }

  #isCrossed(): boolean {
    const [bid, ask] = [this.#bids.best("highest"), this.#asks.best("lowest")];
    return bid !== null && ask !== null && bid >= ask;
  }

  #isRepeated({ ms, hash, levels }: BookChange): boolean {
    if (hash === undefined) return false;
    const key = `${ms}|${hash}|${JSON.stringify(levels.map(({ side, price, size }) => [side, price, size]))}`;
    if (this.#recent.has(key)) return true;
    this.#recent.add(key);
    const [first] = this.#recent;
    if (this.#recent.size > MAX_RECENT && first !== undefined) this.#recent.delete(first);
    return false;
  }

  #hashed(ms: number, hash: string | undefined) {
    return { ms, hash, bids: this.#bids.rising(), asks: this.#asks.rising().toReversed() };
  }

  #snapshot(seq: number, ms: number, hash: string): InsertRow {
    this.#changes = 0;
    this.#checkpointMs = ms;
    const { bids, asks } = this.#hashed(ms, hash);
    return bookRow({ ...this.#head(ms, seq, hash), kind: "snapshot", bids, asks });
  }

  #changeRow({ ms, hash, levels }: BookChange): InsertRow {
    const bids = lastWords(levels, "BUY");
    const asks = lastWords(levels, "SELL").toReversed();
    return bookRow({ ...this.#head(ms, this.#seq.next(ms), hash ?? ""), kind: "change", bids, asks });
  }

  #head(ms: number, seq: number, hash: string) {
    const [bestBid, bestAsk] = [this.#bids.best("highest"), this.#asks.best("lowest")];
    return { instrument: this.#id, ms, seq, hash, bestBid, bestAsk };
  }
}

function distrusted(book: InstrumentBook, reason: string): Omit<BookOutcome, "rows"> {
  const { rows: _none, ...why } = book.distrust(reason);
  return why;
}

/** A side's levels as one normalised text, independent of upstream's number of digits. */
function textOf(side: BookSide): string {
  return side
    .rising()
    .map(({ price, size }) => `${toMicro(price)}x${toMicro(size)}`)
    .join();
}

/** The waiting changes that follow a full book: after the one with its hash, else from its timestamp on. */
function since(waiting: readonly BookChange[], book: BookMessage): readonly BookChange[] {
  const same = book.hash === undefined ? -1 : waiting.findLastIndex((change) => change.hash === book.hash);
  return same >= 0 ? waiting.slice(same + 1) : waiting.filter((change) => change.ms >= book.timestamp);
}

/** The last update of each level of a side, by rising price. */
function lastWords(levels: readonly ChangedLevel[], side: "BUY" | "SELL"): readonly ChangedLevel[] {
  const byPrice = new Map(levels.filter((level) => level.side === side).map((level) => [Number(level.price), level]));
  return [...byPrice].sort(([a], [b]) => a - b).map(([, level]) => level);
}

/** The row of a full book on its own. */
function wholeRow(instrument: string, book: BookMessage, seq: number): InsertRow {
  const alone = new BookSide();
  const other = new BookSide();
  alone.replace(book.bids, book.timestamp);
  other.replace(book.asks, book.timestamp);
  const [bestBid, bestAsk] = [alone.best("highest"), other.best("lowest")];
  const sides = { bids: alone.rising(), asks: other.rising().toReversed(), bestBid, bestAsk };
  return bookRow({ instrument, ms: book.timestamp, seq, kind: "snapshot", hash: book.hash ?? "", ...sides });
}
