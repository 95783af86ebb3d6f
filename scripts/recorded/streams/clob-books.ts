import { readRecordedBooks } from "../../../packages/exchange/src/record/clob-books.ts";
import { resyncBooks } from "../../../packages/server/src/connectors/polymarket/book/resync-books.ts";
import { polymarketBookStream } from "../../../packages/server/src/connectors/polymarket/book.ts";
import type { Call, Feed, SocketConnector } from "../../../packages/server/src/definition/connector.ts";
import { bind, sql } from "../../../packages/server/src/definition/sql.ts";
import { bookEvents } from "../../../packages/server/src/tables/book-events.ts";
import { answerAll } from "../answer-all.ts";
import { answeredSides, sideText } from "../book-text.ts";
import { countRows } from "../count-rows.ts";
import type { House } from "../open-house.ts";
import { runBookSocket } from "../run-book-socket.ts";
import { countOf, type StreamCount } from "../stream-count.ts";
import { Tally } from "../tally.ts";

const BOOK_ROWS = 1000;

/**
 * 16,101 full books of 160 tokens over the REST resync of the book stream, each asked for at its own moment; `most`
 * tokens where a part is enough.
 */
export async function clobBooks(house: House, most = Number.POSITIVE_INFINITY): Promise<readonly StreamCount[]> {
  const tally = new Tally();
  const moments = new Map<string, number[]>();
  for await (const book of readRecordedBooks(house.dir)) {
    const mine = moments.get(book.asset_id) ?? [];
    if (mine.length === 0 && moments.size >= most) continue;
    moments.set(book.asset_id, mine);
    mine.push(Number(book.timestamp));
    tally.add(`${book.asset_id} ${book.timestamp} ${book.hash} ${sideText(book.bids)} / ${sideText(book.asks)}`, true);
  }
  const given = [...moments.values()].reduce((sum, list) => sum + list.length, 0);
  const tokens = [...moments.keys()];
  await runBookSocket(house, walking(moments), { tokens, states: given });
  for (const token of tokens) {
    for await (const row of answerAll(house, 572, { token_id: token }, BOOK_ROWS)) {
      tally.answer(`${token} ${Date.parse(String(row["timestamp"]))} ${String(row["hash"])} ${answeredSides(row)}`);
    }
  }
  const stored = await countRows(house, bookEvents, sql`instrument IN (${bind("Array(String)", tokens)})`);
  return [countOf("CLOB books, by moment", tally, { in: given, stored })];
}

/** The stream with its resync made once for each moment: a book at the time, which is what only a recording can give. */
function walking(moments: ReadonlyMap<string, number[]>): SocketConnector {
  return {
    ...polymarketBookStream,
    async *resync(feed, instruments) {
      for (const token of instruments) {
        for (const ms of (moments.get(token) ?? []).toSorted((a, b) => a - b)) {
          yield* resyncBooks(at(feed, ms), [token]);
        }
      }
    },
  };
}

function at(feed: Feed, ms: number): Feed {
  const when = (call: Call): Call => ({ ...call, query: [...(call.query ?? []), ["at", String(ms)]] });
  return { ...feed, post: (call, reply) => feed.post(when(call), reply) };
}
