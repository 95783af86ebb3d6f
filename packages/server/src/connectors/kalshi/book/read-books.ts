import type { Feed, Call } from "../../../definition/connector.ts";
import { refusedOf } from "../../../definition/read-page.ts";
import { z } from "zod";
import { slicesOf } from "../../../definition/slices.ts";
import { listOf } from "../../../definition/upstream-bounds.ts";
import { rowsOf, textIn } from "../../../definition/rows-of.ts";
import { amount, cents, contracts, dollars, name } from "../wire/values.ts";
import { kalshiCall } from "../wire/walk-pages.ts";
import { type Ladder, toLadder } from "./ladder.ts";

/** A level: price and size. Text is dollars and contracts; integers are cents and contracts of the older schema. */
const level = z.tuple([z.union([dollars, cents]), z.union([amount, contracts])]);
const side = listOf(level, 10_000).nullish();

/** An empty side is [], null or missing. Prices are the side's own: a NO bid at 0.88 appears under `no`. */
const bookNow = z.looseObject({ yes_dollars: side, no_dollars: side });
const bookThen = z.looseObject({ yes_dollars: side, no_dollars: side, yes: side, no: side });

/** GET /markets/{ticker}/orderbook. */
export const bookReply = z
  .looseObject({ orderbook_fp: bookNow.optional(), orderbook: bookThen.optional() })
  .refine((reply) => reply.orderbook_fp ?? reply.orderbook, "neither orderbook_fp nor orderbook is present");

/** GET /markets/orderbooks. */
export const booksReply = z.looseObject({
  orderbooks: rowsOf(bookReply.and(z.looseObject({ ticker: name })), { instrument: textIn("ticker") }, 1000).nullable(),
});

export type BookReply = z.output<typeof bookReply>;
type BooksReply = z.output<typeof booksReply>;
export type BookLevel = z.output<typeof level>;

/** The most tickers in one `booksCall`. */
const MAX_BOOKS = 100;

/** The call for books. The parameter is repeated, because the venue answers only one book of a comma-joined value. */
function booksCall(tickers: readonly string[], absentOn: readonly number[] = []): Call {
  const query = tickers.map((ticker): [string, string] => ["tickers", ticker]);
  return { ...kalshiCall("/markets/orderbooks", {}, absentOn), query };
}

const REFUSED = [400, 404];

/**
 * Books of markets of which the venue may no longer know one: it then refuses the whole call, so the list is split in
 * halves, and a market refused alone has no book. Returns how many books could not be read.
 */
export async function* readLeftBooks(feed: Feed, tickers: readonly string[]): AsyncGenerator<ReadBook, number, void> {
  const reply = tickers.length > MAX_BOOKS ? undefined : await feed.get(booksCall(tickers, REFUSED), booksReply);
  if (reply !== undefined) {
    yield* booksOf(reply, tickers);
    return refusedOf(reply).length;
  }
  if (tickers.length <= 1) {
    yield* tickers.map((ticker) => ({ ticker, ladder: undefined }));
    return 0;
  }
  const half = Math.min(MAX_BOOKS, Math.ceil(tickers.length / 2));
  const first = yield* readLeftBooks(feed, tickers.slice(0, half));
  return first + (yield* readLeftBooks(feed, tickers.slice(half)));
}

/** The same for a resync: throws after all others if some books could not be read. */
export async function* readAllBooks(feed: Feed, tickers: readonly string[]): AsyncGenerator<ReadBook> {
  const unread = yield* readLeftBooks(feed, tickers);
  if (unread > 0) throw new Error(`${unread} books could not be read`);
}

/**
 * Books over REST, a hundred a call. An unreadable reply is a gap at `pollMs` (Unix ms), and the other calls continue. A
 * refused call is split in halves: the catalogue may list a market as active that the venue no longer has.
 */
export async function* readBooks(feed: Feed, tickers: readonly string[], pollMs: number): AsyncGenerator<ReadBook> {
  for (const some of slicesOf(tickers, MAX_BOOKS)) {
    const ifChanged = { from: pollMs, to: pollMs, instruments: some };
    const reply = await feed.get({ ...booksCall(some), ifChanged }, booksReply).catch(unlessRefused);
    if (reply === "refused" && some.length > 1) {
      const half = Math.ceil(some.length / 2);
      yield* readBooks(feed, some.slice(0, half), pollMs);
      yield* readBooks(feed, some.slice(half), pollMs);
    } else if (reply === "refused") yield* some.map((ticker) => ({ ticker, ladder: undefined }));
    else if (reply !== undefined) yield* booksOf(reply, some);
  }
}

/** A status in `absentOn` could not be told from an unreadable reply: both answer undefined. */
function unlessRefused(error: unknown): "refused" {
  if (error instanceof Error && "status" in error && REFUSED.some((status) => status === error.status))
    return "refused";
  throw error;
}

/** Undefined for a market without a book. */
export type ReadBook = { readonly ticker: string; readonly ladder: Ladder | undefined };

/** The books of a reply; in a complete one, the other requested markets have none. */
function booksOf(reply: BooksReply, requested: readonly string[]): ReadBook[] {
  const books = (reply.orderbooks ?? []).map((book) => ({ ticker: book.ticker, ladder: toLadder(book) }));
  if (refusedOf(reply).length > 0) return books;
  const given = new Set(books.map(({ ticker }) => ticker));
  const absent = requested.filter((ticker) => !given.has(ticker));
  return [...books, ...absent.map((ticker) => ({ ticker, ladder: undefined }))];
}
