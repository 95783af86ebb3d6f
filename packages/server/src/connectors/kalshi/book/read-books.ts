import type { Feed } from "../../../definition/connector.ts";
import { refusedOf } from "../../../definition/read-page.ts";
import { booksReply } from "./book-reply.ts";
import { kalshiCall } from "../wire/kalshi-call.ts";
import type { Ladder } from "./ladder.ts";
import { toLadder } from "./to-ladder.ts";

const MOST_TICKERS = 100;

/**
 * Books over REST, a hundred a call; undefined for a market of which a whole answer has none. With `pollMs` (Unix ms) an
 * answer that cannot be read is a hole at that moment and the others are asked for; without it, it throws once the rest
 * is given.
 */
export async function* readBooks(
  feed: Feed,
  tickers: readonly string[],
  pollMs?: number,
): AsyncGenerator<{ readonly ticker: string; readonly ladder: Ladder | undefined }> {
  let refused = 0;
  for (let at = 0; at < tickers.length; at += MOST_TICKERS) {
    const some = tickers.slice(at, at + MOST_TICKERS);
    // The parameter is repeated: of a comma-joined value the venue answers one book only.
    const query = some.map((ticker): [string, string] => ["tickers", ticker]);
    const ifChanged = pollMs === undefined ? {} : { ifChanged: { from: pollMs, to: pollMs, instruments: some } };
    const reply = await feed.get({ ...kalshiCall("/markets/orderbooks"), query, ...ifChanged }, booksReply);
    const books = reply?.orderbooks ?? [];
    for (const book of books) yield { ticker: book.ticker, ladder: toLadder(book) };
    refused += refusedOf(reply).length;
    if (reply === undefined || refusedOf(reply).length > 0) continue;
    const given = new Set(books.map(({ ticker }) => ticker));
    for (const ticker of some) if (!given.has(ticker)) yield { ticker, ladder: undefined };
  }
  if (refused > 0 && pollMs === undefined) throw new Error(`${refused} books could not be read`);
}
