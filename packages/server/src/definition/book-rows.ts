import { BookSide, type BookLevel } from "./book-side.ts";
import type { KeyedRow } from "./served-keyed.ts";

/** An event of a book: its position (`ms`, `seq`) and its payload. */
type BookEvent = {
  readonly ms: number;
  readonly seq: number;
  readonly isSnapshot: boolean;
  readonly bids: string;
  readonly asks: string;
  readonly hash: string;
};

type Place = Pick<BookEvent, "ms" | "seq">;

/** The book after the last event of a millisecond: the shown levels of each side, and the best ones. */
export type BookRow = Pick<BookEvent, "ms" | "seq" | "hash"> &
  Readonly<Record<"bids" | "asks", readonly BookLevel[]>> &
  Readonly<Record<"bid" | "ask", BookLevel | undefined>>;

export type BookRequested = {
  /** Milliseconds since 1970, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** Time of the last row of the preceding page. */
  readonly before: number | undefined;
  /** Events stored later than this (microseconds since 1970) do not count towards page boundaries. */
  readonly snapshot: number | undefined;
  /** Rows to skip, and rows to return after them. */
  readonly offset: number;
  readonly rows: number;
  readonly depth: number | undefined;
};

/**
 * The TypeScript counterpart of `rebuiltBook`, over an instrument's events, newest first: the rows of a page, newest
 * first, each the full book after the last event of a millisecond. Returns undefined where fewer milliseconds with
 * events exist than the offset. Events within the page stored since its walk began are included.
 */
export function bookRows(events: Iterable<KeyedRow>, requested: BookRequested): readonly BookRow[] | undefined {
  const found = eventsOf(events, requested);
  return found && replayed(found, requested.depth);
}

/** Newest first. Events from `shown` on only serve the rebuild; the last is a snapshot or the oldest event. */
type Found = { readonly events: readonly BookEvent[]; readonly shown: number };

function eventsOf(
  rows: Iterable<KeyedRow>,
  { from, to, before, snapshot, offset, rows: wanted }: BookRequested,
): Found | undefined {
  const events: BookEvent[] = [];
  let [passed, shown, counted, lastMs] = [0, 0, 0, Number.NaN];
  for (const row of rows) {
    const place = { ms: row.number("ts"), seq: row.number("seq") };
    if (place.ms > to || (before !== undefined && place.ms >= before)) continue;
    const isEnded = counted === wanted || place.ms < from;
    if (isEnded && (counted === 0 || events[shown - 1]?.isSnapshot === true)) break;
    const isKnown = snapshot === undefined || row.number("ingested_at") <= snapshot;
    const counts = !isEnded && isKnown && place.ms !== lastMs;
    if (counts) lastMs = place.ms;
    if (counts && passed < offset) {
      passed += 1;
      continue;
    }
    if (counted === 0 && !counts) continue;
    const event = eventOf(row, place);
    events.push(event);
    if (counts) [counted, shown] = [counted + 1, events.length];
    if (event.isSnapshot && (isEnded || counted === wanted)) break;
  }
  return passed < offset ? undefined : { events, shown };
}

const eventOf = (row: KeyedRow, { ms, seq }: Place): BookEvent => ({
  ms,
  seq,
  isSnapshot: row.value("kind") === "snapshot",
  bids: String(row.value("bids")),
  asks: String(row.value("asks")),
  hash: String(row.value("hash")),
});

/** Changes before an instrument's first snapshot cannot be applied and are omitted. */
function replayed({ events, shown }: Found, depth: number | undefined): readonly BookRow[] {
  const [bids, asks] = [new BookSide("bids"), new BookSide("asks")];
  const rows: BookRow[] = [];
  let isKnown = false;
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const event = events[at] as BookEvent;
    isKnown ||= event.isSnapshot;
    if (!isKnown) continue;
    if (event.isSnapshot) for (const side of [bids, asks]) side.clear();
    bids.change(event.bids);
    asks.change(event.asks);
    if (at >= shown || events[at - 1]?.ms === event.ms) continue;
    const { ms, seq, hash } = event;
    rows.push({
      ms,
      seq,
      hash,
      bids: bids.shown(depth),
      asks: asks.shown(depth),
      bid: bids.best(),
      ask: asks.best(),
    });
  }
  return rows.toReversed();
}
