import { createHash } from "node:crypto";
import {
  definePull,
  type Batch,
  type PullOptions,
  type ReplayedPage,
  type TableRows,
} from "../../definition/connector.ts";
import type { InsertRow } from "../../definition/table.ts";
import { bookEvents } from "../../tables/book-events.ts";
import { cursorText } from "../../definition/cursor-number.ts";
import { kalshiHost } from "./hosts/kalshi-host.ts";
import { booksReply } from "./book/book-reply.ts";
import type { Ladder } from "./book/ladder.ts";
import { readBooks } from "./book/read-books.ts";
import { toLadder } from "./book/to-ladder.ts";
import { toSnapshotRow } from "./book/to-book-row.ts";

/** Ten calls a turn: the budget without a key is about three calls a second, and trades come first. */
const MOST_TICKERS = 1000;

/** Where the cursor keeps when a turn began; no ticker has such a name. */
const LOOKED = "@looked";
/** Four turns; what lies further apart was not watched. */
const MOST_BETWEEN_MS = 60_000;

/**
 * Books without a key: whole states at intervals, one row when a book differs from the one seen before. REST gives no
 * time, so a row's moment is that of receipt; what happened between two looks is not known.
 * The cursor holds a short hash of each book.
 */
export const kalshiBookRestStream = definePull({
  name: "kalshi-book-rest",
  title: "Kalshi order books, polled",
  venue: "kalshi",
  host: kalshiHost,
  tables: [bookEvents],
  everySeconds: 15,
  canBackfill: false,
  replacedBy: "kalshi-book",
  pull: pullBooks,
  replay: replayBooks,
});

async function* pullBooks(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const tickers = (await options.known("active_kalshi_tickers")).slice(0, MOST_TICKERS);
  if (tickers.length === 0) {
    // The catalogue has nothing yet: nothing was looked at.
    yield { rows: [], cursor: options.cursor ?? {} };
    return;
  }
  const began = new Date(options.now()).toISOString();
  const looked = cursorText(options.cursor, LOOKED);
  const cursor: Record<string, string> = {};
  const rows: InsertRow[] = [];
  for await (const { ticker, ladder } of readBooks(options.feed, tickers, options.now())) {
    options.signal.throwIfAborted();
    const hash = hashOf(ladder);
    if (cursor[ticker] === undefined && cursorText(options.cursor, ticker) !== hash) {
      rows.push(toSnapshotRow({ instrument: ticker, ts: options.now(), seq: 0 }, ladder));
    }
    cursor[ticker] = hash;
  }
  const reached = new Date(options.now()).toISOString();
  const isLate = looked !== undefined && Date.parse(began) - Date.parse(looked) > MOST_BETWEEN_MS;
  yield {
    rows: [{ table: bookEvents, rows }],
    cursor: { ...cursor, [LOOKED]: began },
    reached,
    ...(looked === undefined && { since: reached }),
    ...(isLate && { gap: { from: looked, to: reached, reason: "the books were not looked at" } }),
    isCaughtUp: true,
  };
}

function replayBooks({ read, receivedMs }: ReplayedPage): TableRows[] {
  const books = read(booksReply).orderbooks ?? [];
  const rows = books.map((book) => toSnapshotRow({ instrument: book.ticker, ts: receivedMs, seq: 0 }, toLadder(book)));
  return [{ table: bookEvents, rows }];
}

function hashOf(ladder: Ladder): string {
  const text = JSON.stringify([ladder.levels("bids"), ladder.levels("asks")]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
