import type { Feed } from "../../../definition/connector.ts";
import { booksReply } from "./book-reply.ts";
import { booksCall, MOST_BOOKS } from "./books-call.ts";
import { booksOf, type ReadBook } from "./books-of.ts";

const REFUSED = [400, 404];

/**
 * Books of markets that are active no more. The venue may know one of them no longer and refuse all that are asked for
 * with it: these are asked for by halves, and what is refused alone has no book.
 */
export async function* readLeftBooks(feed: Feed, tickers: readonly string[]): AsyncGenerator<ReadBook> {
  const reply = tickers.length > MOST_BOOKS ? undefined : await feed.get(booksCall(tickers, REFUSED), booksReply);
  if (reply !== undefined) yield* booksOf(reply, tickers);
  else if (tickers.length <= 1) yield* tickers.map((ticker) => ({ ticker, ladder: undefined }));
  else {
    const half = Math.min(MOST_BOOKS, Math.ceil(tickers.length / 2));
    yield* readLeftBooks(feed, tickers.slice(0, half));
    yield* readLeftBooks(feed, tickers.slice(half));
  }
}
