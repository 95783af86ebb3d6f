import { expect, test } from "vitest";
import { BookSession } from "../../src/connectors/kalshi/book/book-session.ts";
import { Ladder } from "../../src/connectors/kalshi/book/ladder.ts";
import { bookSession } from "../../src/connectors/polymarket/book/book-session.ts";

const TOKEN = "123456789";
const NOON = 1_790_000_000_000;

const book = (timestamp: number, hash: string, size = "10") => ({
  market: `0x${"a".repeat(64)}`,
  asset_id: TOKEN,
  timestamp: String(timestamp),
  hash,
  bids: [{ price: "0.4", size }],
  asks: [{ price: "0.6", size: "10" }],
});

const ladder = (size: string): Ladder => {
  const made = new Ladder();
  made.set("bids", "0.4000", size);
  made.set("asks", "0.6000", "5.00");
  return made;
};

test("Polymarket: a REST book must match the socket's book up to the last timestamp received over the socket", () => {
  const session = bookSession();
  const follows = (timestamp: number, hash: string, size?: string) =>
    session.follows?.({ instrument: TOKEN, state: book(timestamp, hash, size) }, NOON);
  session.subscribe([TOKEN]);
  expect(follows(NOON, "one"), "no book is held yet").toBe(true);
  session.decode(JSON.stringify([{ ...book(NOON, "one"), event_type: "book" }]), NOON);
  expect(follows(NOON, "one")).toBe(true);
  expect(follows(NOON + 1, "one"), "the same book, said to be newer").toBe(true);
  expect(follows(NOON + 5, "two"), "the same levels under another hash").toBe(true);
  expect(follows(NOON + 5, "two", "20")).toBe(false);
  const change = { asset_id: TOKEN, price: "0.4", size: "20", side: "BUY", hash: "two", best_bid: "0.4" };
  session.decode(
    JSON.stringify({
      event_type: "price_change",
      market: `0x${"a".repeat(64)}`,
      timestamp: String(NOON + 5),
      price_changes: [{ ...change, best_ask: "0.6" }],
    }),
    NOON,
  );
  expect(follows(NOON + 5, "two", "20")).toBe(true);
  expect(follows(NOON + 5, "two", "30"), "of the same moment, and another").toBe(false);
});

test("Kalshi: a REST book may differ from the socket's only if changes arrived since it was requested", () => {
  const session = new BookSession();
  session.subscribe(["KX-1"]);
  session.decode(JSON.stringify({ type: "subscribed", id: 1, msg: { channel: "orderbook_delta", sid: 7 } }), NOON);
  const levels = { market_ticker: "KX-1", yes_dollars_fp: [["0.4000", "10.00"]], no_dollars_fp: [["0.6000", "5.00"]] };
  session.decode(JSON.stringify({ type: "orderbook_snapshot", sid: 7, seq: 1, msg: levels }), NOON);
  const follows = (size: string, requestedMs: number) =>
    session.follows({ instrument: "KX-1", state: ladder(size) }, requestedMs);
  expect(follows("10.00", NOON + 1000)).toBe(true);
  expect(follows("12.00", NOON + 1000)).toBe(false);
  const delta = { market_ticker: "KX-1", price_dollars: "0.4000", delta_fp: "5.00", side: "yes" };
  session.decode(JSON.stringify({ type: "orderbook_delta", sid: 7, seq: 2, msg: delta }), NOON + 2000);
  expect(follows("12.00", NOON + 1000), "it moved on meanwhile").toBe(true);
  expect(follows("12.00", NOON + 3000)).toBe(false);
});
