import type { Feed } from "../../../definition/connector.ts";
import { booksReply } from "./book-reply.ts";
import { kalshiCall } from "../wire/kalshi-call.ts";
import type { Ladder } from "./ladder.ts";
import { toLadder } from "./to-ladder.ts";

const MOST_TICKERS = 100;

/** Books over REST, a hundred a call; a market that has none now is left out. */
export async function* readBooks(
  feed: Feed,
  tickers: readonly string[],
): AsyncGenerator<{ readonly ticker: string; readonly ladder: Ladder }> {
  for (let at = 0; at < tickers.length; at += MOST_TICKERS) {
    // The parameter is repeated: of a comma-joined value the venue answers one book only.
    const query = tickers.slice(at, at + MOST_TICKERS).map((ticker): [string, string] => ["tickers", ticker]);
    const reply = await feed.get({ ...kalshiCall("/markets/orderbooks"), query }, booksReply);
    for (const book of reply?.orderbooks ?? []) yield { ticker: book.ticker, ladder: toLadder(book) };
  }
}
