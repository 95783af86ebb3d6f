import { beforeAll, describe, expect, it } from "vitest";
import { bookSession } from "../../../src/connectors/polymarket/book/book-session.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { bookEvents } from "../../../src/tables/book-events.ts";
import { compareRebuilt, newRebuilt, REPORT_MS, type BookAt } from "./rebuilt-books.ts";
import { absent, recordedCsv, recordedFiles } from "./recorded.ts";

type Level = { readonly price: string; readonly size: string; readonly side: "BUY" | "SELL" };
type Message = {
  readonly event_type: "book" | "price_change";
  readonly asset_id: string;
  readonly timestamp: string;
  readonly hash: string;
  readonly levels: Level[];
};
/** A stored event of a token; whole if the venue sent it as a book, not if we wrote it as a checkpoint. */
type Event = BookAt & { readonly kind: unknown; readonly seq: number; readonly isWhole: boolean };

/**
 * Messages of baseball markets of June and July 2025, before `price_changes`. The files have a row per level;
 * consecutive rows with the same token, kind, timestamp and hash are one message. Two rows that their recorder merged
 * into one are omitted.
 */
function* readMessages(): Generator<Message> {
  for (const file of recordedFiles("ws_market/signaldrift_mlb_2025", ".csv.gz")) {
    let open: Message | undefined;
    for (const row of recordedCsv(file)) {
      const { event_type, asset_id = "", timestamp = "", hash = "", price = "", size = "", side } = row;
      if (event_type !== "book" && event_type !== "price_change") continue;
      if (keyOf({ event_type, asset_id, timestamp, hash }) !== (open && keyOf(open))) {
        if (open) yield open;
        open = { event_type, asset_id, timestamp, hash, levels: [] };
      }
      // The recorder changed its wording between two days.
      open?.levels.push({ price, size, side: side === "bid" || side === "BUY" ? "BUY" : "SELL" });
    }
    if (open) yield open;
  }
}

const keyOf = ({ event_type, asset_id, timestamp, hash }: Omit<Message, "levels">): string =>
  `${event_type} ${asset_id} ${timestamp} ${hash}`;

function toFrame({ levels, ...head }: Message): string {
  const of = (side: Level["side"]) =>
    levels.filter((level) => level.side === side).map(({ price, size }) => ({ price, size }));
  const body = head.event_type === "book" ? { bids: of("BUY"), asks: of("SELL") } : { changes: levels };
  // The condition was not recorded.
  return JSON.stringify({ ...head, market: `0x${"ab".repeat(32)}`, ...body });
}

const toEvent = (row: InsertRow, isWhole: boolean): Event => ({
  ms: Date.parse(String(row["ts"])),
  seq: Number(row["seq"]),
  kind: row["kind"],
  isWhole,
  bids: new Map((row["bids"] as [string, string][]).map(([price, size]) => [Number(price), Number(size)])),
  asks: new Map((row["asks"] as [string, string][]).map(([price, size]) => [Number(price), Number(size)])),
});

/** Compares each recorded complete book of a token with the book rebuilt from the events before it. */
function compareAll(given: readonly Event[], rebuilt: ReturnType<typeof newRebuilt>): void {
  const events = given.toSorted((a, b) => a.ms - b.ms || a.seq - b.seq);
  let book: BookAt | undefined;
  for (const [index, event] of events.entries()) {
    if (event.isWhole && book) {
      const later: Event[] = [];
      for (let at = index + 1; (events[at]?.ms ?? Infinity) - event.ms < REPORT_MS; at += 1) {
        const next = events[at];
        if (next?.kind === "change") later.push(next);
      }
      compareRebuilt(rebuilt, book, event, later);
    }
    if (event.kind === "snapshot" || !book)
      book = { ms: event.ms, bids: new Map(event.bids), asks: new Map(event.asks) };
    else {
      book = { ...book, ms: event.ms };
      for (const side of ["bids", "asks"] as const)
        for (const [price, size] of event[side]) setLevel(book[side], price, size);
    }
  }
}

function setLevel(side: Map<number, number>, price: number, size: number): void {
  if (size === 0) side.delete(price);
  else side.set(price, size);
}

describe.skipIf(absent)(`the market websocket of 2025, recorded${absent === undefined ? "" : `: ${absent}`}`, () => {
  const given = { book: 0, price_change: 0 };
  /** Changes before a token's first book, or between one that crossed it and the next complete book. */
  const untrusted: string[] = [];
  const expected = new Set<string>();
  const stored: string[] = [];
  const wholes = new Set<string>();
  const events = new Map<string, Event[]>();
  let storedWholes = 0;

  beforeAll(() => {
    const session = bookSession();
    const trusted = new Set<string>();
    for (const message of readMessages()) {
      const { asset_id, event_type } = message;
      given[event_type] += 1;
      if (!events.has(asset_id)) session.subscribe([asset_id]);
      const own = events.get(asset_id) ?? [];
      events.set(asset_id, own);
      if (event_type === "book") {
        trusted.add(asset_id);
        wholes.add(toFrame(message));
      } else if (trusted.has(asset_id)) expected.add(keyOf(message));
      else untrusted.push(keyOf(message));
      const { rows, broken = [] } = session.decode(toFrame(message), 0);
      for (const row of rows.filter(({ table }) => table === bookEvents).flatMap((part) => part.rows)) {
        const isWhole = event_type === "book" && row["hash"] === message.hash;
        own.push(toEvent(row, isWhole));
        if (isWhole) storedWholes += 1;
        if (row["kind"] === "change")
          stored.push(
            keyOf({ ...message, timestamp: String(Date.parse(String(row["ts"]))), hash: String(row["hash"]) }),
          );
      }
      for (const { instrument } of broken) trusted.delete(instrument);
    }
  });

  it("is stored: 3,353 books, and every change of a token whose book is trusted", () => {
    expect(given).toEqual({ book: 3355, price_change: 98_991 });
    expect([storedWholes, wholes.size]).toEqual([3353, 3353]);
    expect(stored.length).toBe(98_227);
    expect(untrusted.length).toBe(98_991 - 98_227);
    expect(stored.filter((key) => !expected.has(key))).toEqual([]);
  });

  it("yields books of which 99 in 100 differ from the venue's only as its messages explain", () => {
    const rebuilt = newRebuilt();
    for (const own of events.values()) compareAll(own, rebuilt);
    expect(rebuilt).toEqual({ compared: 3301, equal: 0, traded: 2681, reportedLater: 531, afterHole: 69, other: 20 });
  });
});
