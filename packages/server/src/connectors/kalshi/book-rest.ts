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
import { kalshiHost } from "./hosts.ts";
import { CycleClock } from "./book/cycle-clock.ts";
import { booksReply, type ReadBook, readBooks, readLeftBooks } from "./book/read-books.ts";
import { Ladder, toLadder, toBookRow } from "./book/ladder.ts";

/** Ten calls a cycle: the budget without a key is about three calls a second, and trades come first. */
const MAX_TICKERS = 1000;
/** Up to ten more for markets that are no longer active and whose last book was not empty. */
const MAX_LEFT = 1000;

/** Cursor keys for when a cycle began and ended, and the latest end of all cycles; `@` occurs in no ticker. */
const LOOKED = "@looked";
const REACHED = "@reached";
const LATEST = "@latest";
/** Cursor key of the last market requested among those that are no longer active. */
const LAST = "@last";
const OWN: ReadonlySet<string> = new Set([LOOKED, REACHED, LATEST, LAST]);
/** Four cycles; a longer interval counts as unwatched. */
const MAX_BETWEEN_MS = 60_000;

/**
 * Books without a key: full snapshots at intervals, with a row whenever a book differs from the one seen before. REST
 * gives no time, so a row has the time of receipt; changes between two polls are unknown. The cursor contains a short
 * hash of each book to detect unchanged ones. An interrupted cycle may have stored rows beyond its cursor, so the next
 * one stores every book. The book of a market that is no longer active is polled until it is empty.
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
  const followed = (await options.known("active_kalshi_tickers")).slice(0, MAX_TICKERS);
  if (followed.length === 0) {
    // The catalogue is still empty, so nothing was polled.
    yield { rows: [], cursor: options.cursor ?? {} };
    return;
  }
  const clock = new CycleClock(options.now);
  const { began } = clock;
  const before = await beforeOf(options);
  const held = heldIn(options.cursor);
  // Otherwise the last stored row of a book may not be its latest by time.
  if (options.resumed || isSetBack(began, before) || isPassed(began, before)) forgetHashes(held);
  const { left, last } = await findLeft(options, held, new Set(followed));
  const cycle = { clock, before, held, last };
  const rows = await takeIn(cycle, options.signal, readBooks(options.feed, followed, clock.now()), "followed");
  const reached = new Date(clock.now()).toISOString();
  const { setBack } = clock;
  yield {
    rows: [{ table: bookEvents, rows }],
    ...endOf(cycle, reached),
    reached,
    ...(before.looked === undefined && { since: reached }),
    isCaughtUp: left.length === 0,
  };
  if (left.length === 0) return;
  const ended = await takeIn(cycle, options.signal, readLeftBooks(options.feed, left), "left");
  clock.now();
  const { cursor, gap } = endOf(cycle, reached);
  const isNewGap = setBack === undefined && clock.setBack !== undefined;
  yield { rows: [{ table: bookEvents, rows: ended }], cursor, ...(isNewGap && gap && { gap }), isCaughtUp: true };
}

type Cycle = {
  readonly clock: CycleClock;
  readonly before: Before;
  /** The hash of each book as last stored. */
  readonly held: Map<string, string>;
  /** The last market requested among those that are no longer active. */
  readonly last: string;
};

/** Cursor and gap of a cycle that `reached` this time (ISO). */
function endOf({ clock, before, held, last }: Cycle, reached: string): Pick<Batch, "cursor" | "gap"> {
  const { began, setBack } = clock;
  if (setBack !== undefined) forgetHashes(held);
  // A cycle that passes the end of the latest one has rows on both sides of it: the next cycle is the first after it.
  const isAhead = began < before.latest;
  const ends = isAhead ? { [REACHED]: reached < before.latest ? reached : began, [LATEST]: before.latest } : {};
  const straddling = setBack && {
    [LOOKED]: setBack.from,
    [REACHED]: setBack.from,
    [LATEST]: setBack.to < before.latest ? before.latest : setBack.to,
  };
  const place = { [LOOKED]: began, [REACHED]: reached, [LATEST]: reached, ...ends, ...straddling, [LAST]: last };
  const gap = gapOf(began, reached, before, setBack);
  return { cursor: { ...Object.fromEntries(held), ...place }, ...(gap && { gap }) };
}

/**
 * Start and end of the previous cycle, and the latest end of all cycles (ISO; empty before the first): as `saved`, and
 * including a cycle that was interrupted after storing its rows.
 */
type Before = {
  readonly looked: string | undefined;
  readonly reached: string;
  readonly saved: string;
  readonly latest: string;
};

async function beforeOf({ cursor, resumed, known }: PullOptions): Promise<Before> {
  const saved = cursorText(cursor, LATEST) ?? "";
  const [, ahead] = resumed === undefined ? [] : await known("book_times_ahead", ["kalshi"]);
  const storedMs = Math.max(resumed?.storedTo ?? 0, Number(ahead ?? 0));
  const storedTo = storedMs === 0 ? "" : new Date(storedMs).toISOString();
  const latest = saved < storedTo ? storedTo : saved;
  return { looked: cursorText(cursor, LOOKED), reached: cursorText(cursor, REACHED) ?? "", saved, latest };
}

/** Whether the machine's clock was set back since the previous cycle, so that stored rows lie ahead of it. */
const isSetBack = (began: string, { reached, saved, latest }: Before): boolean =>
  began < reached || (began < latest && (reached >= saved || latest > saved));

/** Whether the clock has passed the rows that lay ahead of it since the previous cycle. */
const isPassed = (began: string, { reached, saved, latest }: Before): boolean => reached < saved && began >= latest;

/**
 * The time for which stored states are missing or wrong: after too long an interval, and from the time to which the
 * clock was set back, before or during the cycle, until it has passed the rows stored before and every book is stored
 * again.
 */
function gapOf(began: string, reached: string, before: Before, setBack: CycleClock["setBack"]): Batch["gap"] {
  const { looked, latest } = before;
  const isLate = looked !== undefined && Date.parse(began) - Date.parse(looked) > MAX_BETWEEN_MS;
  const spans = [
    ...(isLate ? [{ from: looked, to: reached }] : []),
    ...(isSetBack(began, before) ? [{ from: began, to: latest }] : []),
    ...(isPassed(began, before) ? [{ from: latest, to: reached }] : []),
    ...(setBack === undefined ? [] : [{ from: setBack.from, to: setBack.to < latest ? latest : setBack.to }]),
  ];
  const [first] = spans.toSorted((a, b) => (a.from < b.from ? -1 : 1));
  const [last] = spans.toSorted((a, b) => (a.to > b.to ? -1 : 1));
  const reason = isLate ? "the books were not polled" : "this machine's clock was set back";
  return first && last && { from: first.from, to: last.to, reason };
}

/** The hash of each book as last stored. */
function heldIn(cursor: Cursor | undefined): Map<string, string> {
  const names = Object.keys(cursor ?? {}).filter((name) => !OWN.has(name));
  return new Map(names.map((name) => [name, cursorText(cursor, name) ?? ""]));
}

/** Has every book stored again. */
function forgetHashes(held: Map<string, string>): void {
  for (const ticker of held.keys()) held.set(ticker, "");
}

/**
 * Markets that are no longer active and whose final state is unknown; of too many, each cycle takes the next ones, up
 * to `last`. A market still active but no longer followed is forgotten, and stored again when it returns.
 */
async function findLeft(
  { known, cursor }: PullOptions,
  held: Map<string, string>,
  followed: ReadonlySet<string>,
): Promise<{ readonly left: readonly string[]; readonly last: string }> {
  const others = [...held.keys()].filter((ticker) => !followed.has(ticker)).toSorted();
  const before = cursorText(cursor, LAST) ?? "";
  const first = Math.max(
    0,
    others.findIndex((ticker) => ticker > before),
  );
  const some = [...others.slice(first), ...others.slice(0, first)].slice(0, MAX_LEFT);
  const left = new Set(some.length === 0 ? [] : await known("left_kalshi_tickers", some));
  for (const ticker of some) if (!left.has(ticker)) held.delete(ticker);
  return { left: some.filter((ticker) => left.has(ticker)), last: some.at(-1) ?? "" };
}

/**
 * A row for each book that differs from its last stored state. Drops the empty book of a market no longer active, but
 * not while stored rows lie ahead of the clock: they would hide it.
 */
async function takeIn(
  { clock, before, held }: Cycle,
  signal: AbortSignal,
  books: AsyncIterable<ReadBook>,
  standing: "followed" | "left",
): Promise<InsertRow[]> {
  const seen = new Set<string>();
  const rows: InsertRow[] = [];
  for await (const { ticker, ladder } of books) {
    signal.throwIfAborted();
    if (seen.has(ticker) || (ladder === undefined && standing === "followed")) continue;
    seen.add(ticker);
    const book = ladder ?? new Ladder();
    const hash = hashOf(book);
    if (held.get(ticker) !== hash) rows.push(toBookRow({ instrument: ticker, ts: clock.now(), seq: 0 }, book));
    const isBehind = clock.setBack !== undefined || clock.began < before.latest;
    if (standing === "left" && !isBehind && book.best("bids") === null && book.best("asks") === null)
      held.delete(ticker);
    else held.set(ticker, hash);
  }
  return rows;
}

function replayBooks({ read, receivedMs }: ReplayedPage): TableRows[] {
  const books = read(booksReply).orderbooks ?? [];
  const rows = books.map((book) => toBookRow({ instrument: book.ticker, ts: receivedMs, seq: 0 }, toLadder(book)));
  return [{ table: bookEvents, rows }];
}

function hashOf(ladder: Ladder): string {
  const text = JSON.stringify([ladder.levels("bids"), ladder.levels("asks")]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
