import type { Feed } from "../../../definition/connector.ts";
import { refusedOf } from "../../../definition/read-page.ts";
import { booksReply } from "./book-reply.ts";
import { booksCall, MOST_BOOKS } from "./books-call.ts";
import { booksOf, type ReadBook } from "./books-of.ts";

/**
 * Books over REST, a hundred a call. With `pollMs` (Unix ms) an answer that cannot be read is a hole at that moment and
 * the others are asked for; without it, it throws once the rest is given.
 */
export async function* readBooks(feed: Feed, tickers: readonly string[], pollMs?: number): AsyncGenerator<ReadBook> {
  let refused = 0;
  for (let at = 0; at < tickers.length; at += MOST_BOOKS) {
    const some = tickers.slice(at, at + MOST_BOOKS);
    const ifChanged = pollMs === undefined ? {} : { ifChanged: { from: pollMs, to: pollMs, instruments: some } };
    const reply = await feed.get({ ...booksCall(some), ...ifChanged }, booksReply);
    if (reply === undefined) continue;
    refused += refusedOf(reply).length;
    yield* booksOf(reply, some);
  }
  if (refused > 0 && pollMs === undefined) throw new Error(`${refused} books could not be read`);
}
