import { createHash } from "node:crypto";
import {
  definePull,
  type Batch,
  type Cursor,
  type PullOptions,
  type ReplayedPage,
  type TableRows,
} from "../../definition/connector.ts";
import type { InsertRow } from "../../definition/table.ts";
import { bookEvents } from "../../tables/book-events.ts";
import { cursorText } from "../../definition/cursor-number.ts";
import { kalshiHost } from "./hosts/kalshi-host.ts";
import { booksReply } from "./book/book-reply.ts";
import { Ladder } from "./book/ladder.ts";
import { readBooks } from "./book/read-books.ts";
import { toLadder } from "./book/to-ladder.ts";
import { toSnapshotRow } from "./book/to-book-row.ts";

/** Ten calls a turn: the budget without a key is about three calls a second, and trades come first. */
const MOST_TICKERS = 1000;
/** As many again at the most of those that are active no more and whose last book was not empty. */
const MOST_LEFT = 1000;

/** Where the cursor keeps when a turn began; no ticker has such a name. */
const LOOKED = "@looked";
/** Four turns; what lies further apart was not watched. */
const MOST_BETWEEN_MS = 60_000;

/**
 * Books without a key: whole states at intervals, one row when a book differs from the one seen before. REST gives no
 * time, so a row's moment is that of receipt; what happened between two looks is not known.
 * The cursor holds a short hash of each book. That of a market that is active no more is asked for until it is empty.
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
  const active = await options.known("active_kalshi_tickers");
  if (active.length === 0) {
    // The catalogue has nothing yet: nothing was looked at.
    yield { rows: [], cursor: options.cursor ?? {} };
    return;
  }
  const began = new Date(options.now()).toISOString();
  const looked = cursorText(options.cursor, LOOKED);
  const followed = new Set(active.slice(0, MOST_TICKERS));
  const held = heldIn(options.cursor);
  const left = leftOf(held, new Set(active), options.now());
  const seen = new Set<string>();
  const rows: InsertRow[] = [];
  for await (const { ticker, ladder } of readBooks(options.feed, [...followed, ...left], options.now())) {
    options.signal.throwIfAborted();
    if (seen.has(ticker) || (ladder === undefined && followed.has(ticker))) continue;
    seen.add(ticker);
    const book = ladder ?? new Ladder();
    const hash = hashOf(book);
    if (held.get(ticker) !== hash) rows.push(toSnapshotRow({ instrument: ticker, ts: options.now(), seq: 0 }, book));
    if (!followed.has(ticker) && book.best("bids") === null && book.best("asks") === null) held.delete(ticker);
    else held.set(ticker, hash);
  }
  const reached = new Date(options.now()).toISOString();
  const isLate = looked !== undefined && Date.parse(began) - Date.parse(looked) > MOST_BETWEEN_MS;
  yield {
    rows: [{ table: bookEvents, rows }],
    cursor: { ...Object.fromEntries(held), [LOOKED]: began },
    reached,
    ...(looked === undefined && { since: reached }),
    ...(isLate && { gap: { from: looked, to: reached, reason: "the books were not looked at" } }),
    isCaughtUp: true,
  };
}

/** The hash of each book as it was stored last. */
function heldIn(cursor: Cursor | undefined): Map<string, string> {
  const names = Object.keys(cursor ?? {}).filter((name) => name !== LOOKED);
  return new Map(names.map((name) => [name, cursorText(cursor, name) ?? ""]));
}

/** Markets that are active no more: their last state is not known. Of too many each turn asks for others. */
function leftOf(held: ReadonlyMap<string, string>, active: ReadonlySet<string>, nowMs: number): string[] {
  const left = [...held.keys()].filter((ticker) => !active.has(ticker));
  const first = left.length > MOST_LEFT ? Math.floor(nowMs / 1000) % left.length : 0;
  return [...left.slice(first), ...left.slice(0, first)].slice(0, MOST_LEFT);
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
