import { slicesOf } from "../../../definition/slices.ts";
import type { TableRows, Feed } from "../../../definition/connector.ts";
import type { Decoded, Resynced, Session } from "../../../definition/session.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { bookEvents } from "../../../tables/book-events.ts";
import { polymarketPrints } from "../../../tables/polymarket-prints.ts";
import { polymarketTokens } from "../../../tables/polymarket-tokens.ts";
import { changedLevels } from "./book-side.ts";
import { type BookOutcome, InstrumentBook } from "./instrument-book.ts";
import { bookWire, type Listed, type MarketMessage, readFrame } from "./read-frame.ts";
import { PrintRows } from "./book-rows.ts";
import { z } from "zod";
import { refusedOf } from "../../../definition/read-page.ts";
import { rowsOf, textIn } from "../../../definition/rows-of.ts";

type Broken = NonNullable<Decoded["broken"]>[number];

/** Bounds the reply, which has the books of all these tokens in one frame and is parsed at once. */
const TOKENS_A_FRAME = 50;

/**
 * A session on the market websocket: books of the subscribed tokens and the tape. There is no sequence number: gaps are
 * detected by the venue's best prices, by its hash if its recipe is known, or by a crossed book.
 */
export function bookSession(): Session {
  return new BookSession();
}

class BookSession implements Session {
  readonly #books = new Map<string, InstrumentBook>();
  readonly #prints = new PrintRows();
  #isOpen = false;
  #lastMessageMs = 0;

  subscribe(instruments: readonly string[]): readonly string[] {
    const added = instruments.filter((token) => !this.#books.has(token));
    for (const token of added) this.#books.set(token, new InstrumentBook(token));
    return slicesOf(added, TOKENS_A_FRAME).map((assets_ids) => {
      if (this.#isOpen) return JSON.stringify({ operation: "subscribe", assets_ids });
      this.#isOpen = true;
      return JSON.stringify({ assets_ids, type: "market", custom_feature_enabled: true, initial_dump: true, level: 2 });
    });
  }

  unsubscribe(instruments: readonly string[]): readonly string[] {
    const left = instruments.filter((token) => this.#books.delete(token));
    return left.length === 0 ? [] : [JSON.stringify({ operation: "unsubscribe", assets_ids: left })];
  }

  decode(frame: string): Decoded {
    const made = new Made();
    for (const message of readFrame(frame)) this.#take(message, made);
    return made.decoded();
  }

  adopt({ instrument, state }: Resynced, receivedMs: number): Decoded {
    const made = new Made();
    const book = this.#books.get(instrument);
    if (book !== undefined)
      made.book(instrument, state === null ? book.gone(receivedMs) : book.whole(bookWire.parse(state)));
    return made.decoded();
  }

  follows({ instrument, state }: Resynced, requestedMs: number): boolean {
    const book = this.#books.get(instrument);
    if (book === undefined) return true;
    if (state === null) return book.isEmpty;
    const reported = bookWire.parse(state);
    this.#hear(reported.timestamp);
    // A reply may be older than our clock suggests: it proves the book only up to the venue's latest timestamp.
    return book.follows(reported, Math.min(requestedMs, this.#lastMessageMs));
  }

  isWhole(instrument: string): boolean {
    return this.#books.get(instrument)?.isTrusted ?? true;
  }

  lastMessageMs(): number {
    return this.#lastMessageMs;
  }

  #hear(ms: number): void {
    this.#lastMessageMs = Math.max(this.#lastMessageMs, ms);
  }

  distrust(instrument: string, reason: string): Decoded {
    const made = new Made();
    const book = this.#books.get(instrument);
    if (book?.isTrusted) made.book(instrument, book.distrust(reason));
    return made.decoded();
  }

  #take({ kind, message }: MarketMessage, made: Made): void {
    if (kind === "new_market") {
      made.tokens.push(...listedTokens(message));
      return;
    }
    this.#hear(message.timestamp);
    if (kind === "price_change") {
      // One message may touch both tokens of a market; the other one may belong to another socket.
      for (const change of changedLevels(message)) {
        const book = this.#books.get(change.asset_id);
        if (book !== undefined) made.book(change.asset_id, book.change(change));
      }
      return;
    }
    if (kind === "tick_size_change") {
      for (const [token, each] of this.#books) {
        made.book(token, each.regridded(message.market, message.new_tick_size, token === message.asset_id));
      }
      return;
    }
    // The last price in the hash is the market's, in terms of the traded token, for both tokens.
    if (kind === "last_trade_price")
      for (const each of this.#books.values()) each.printed(message.market, message.price);
    const book = this.#books.get(message.asset_id);
    if (book === undefined) return;
    if (kind === "book") made.book(message.asset_id, book.whole(message));
    else {
      const row = this.#prints.toRow(message);
      if (row !== undefined) made.prints.push(row);
    }
  }
}

/** Collects the rows and broken instruments of one frame. */
class Made {
  readonly events: InsertRow[] = [];
  readonly prints: InsertRow[] = [];
  readonly tokens: InsertRow[] = [];
  readonly broken: Broken[] = [];
  readonly restored: string[] = [];

  book(instrument: string, { rows, broken: reason, since, isRestored = false }: BookOutcome): void {
    this.events.push(...rows);
    if (reason !== undefined) this.broken.push({ instrument, reason, ...(since === undefined ? {} : { since }) });
    else if (isRestored) this.restored.push(instrument);
  }

  decoded(): Decoded {
    const all: TableRows[] = [
      { table: bookEvents, rows: this.events },
      { table: polymarketPrints, rows: this.prints },
      { table: polymarketTokens, rows: this.tokens, mode: "if_absent" },
    ];
    const rows = all.filter((part) => part.rows.length > 0);
    return {
      rows,
      ...(this.broken.length > 0 ? { broken: this.broken } : {}),
      ...(this.restored.length > 0 ? { restored: this.restored } : {}),
    };
  }
}

/** Token rows of a newly listed market, long before the next catalogue walk. */
function listedTokens(listed: Listed): InsertRow[] {
  const condition_id = listed.condition_id ?? listed.market;
  const tokens = listed.assets_ids ?? [];
  if (condition_id === undefined || tokens.length !== 2 || listed.outcomes?.length !== 2) return [];
  return tokens.map((token_id, index) => ({
    token_id,
    condition_id,
    outcome_index: index,
    outcome: listed.outcomes?.[index] ?? "",
    slug: listed.slug ?? "",
  }));
}

const BOOKS_A_CALL = 100;

/** Loose on purpose: the session parses each book with its own schema and needs all of its fields. */
const booksWire = rowsOf(z.looseObject({ asset_id: z.string() }), { instrument: textIn("asset_id") }, BOOKS_A_CALL);

/**
 * Full books over REST, by POST (the GET form answers 400, reference/polymarket.md §2). A token whose market is closed
 * has no book and is omitted.
 */
export async function* resyncBooks(feed: Feed, instruments: readonly string[]): AsyncGenerator<Resynced, void, void> {
  let refused = 0;
  for (let index = 0; index < instruments.length; index += BOOKS_A_CALL) {
    const body = instruments.slice(index, index + BOOKS_A_CALL).map((token_id) => ({ token_id }));
    const books = await feed.post({ path: "/books", body, route: "books", absentOn: [404] }, booksWire);
    for (const book of books ?? []) yield { instrument: book.asset_id, state: book };
    refused += refusedOf(books).length;
  }
  // Returned tokens count as fetched; the others are requested again.
  if (refused > 0) throw new Error(`${refused} books could not be read`);
}
