import { expect, it } from "vitest";
import { z } from "zod";
import { BookSession } from "../../../src/connectors/kalshi/book/book-session.ts";
import type { Decoded } from "../../../src/definition/session.ts";

const TICKERS = ["A", "B", "C"];
const NOON = 1_790_000_000_000;

const frame = (type: string, seq: number, msg: object, id?: number) => JSON.stringify({ id, type, sid: 7, seq, msg });
const snapshot = (market: string, seq: number, id?: number) =>
  frame("orderbook_snapshot", seq, { market_ticker: market, yes_dollars_fp: [["0.4000", "1.00"]] }, id);
const strange = (market: unknown, seq: number, id?: number) =>
  frame("orderbook_snapshot", seq, { market_ticker: market, yes_dollars_fp: "many" }, id);
const delta = (market: string, seq: number, more: object = {}) =>
  frame("orderbook_delta", seq, {
    market_ticker: market,
    price_dollars: "0.4000",
    delta_fp: "1.00",
    side: "yes",
    ts_ms: NOON,
    ...more,
  });
const heartbeat = JSON.stringify({ id: 0, type: "ok", msg: [] });
const isWhole = (session: BookSession) => TICKERS.map((ticker) => session.isWhole(ticker));
const rowsIn = ({ rows }: Decoded) => rows.flatMap((part) => part.rows).length;

type Sent = { id: number; params: { action?: string; market_tickers: string[] } };
const sentBy = ({ send = [] }: Decoded): Sent[] => send.map((text) => JSON.parse(text) as Sent);

function open() {
  const session = new BookSession();
  session.subscribe(TICKERS);
  session.decode(JSON.stringify({ id: 1, type: "subscribed", msg: { channel: "orderbook_delta", sid: 7 } }), NOON);
  const unreadable = (text: string, ms = NOON) => expect(() => session.decode(text, ms)).toThrow(z.ZodError);
  return { session, unreadable };
}

it("keeps the other books when one snapshot is unreadable, and requests that one less and less often", () => {
  const { session, unreadable } = open();
  session.decode(snapshot("A", 1), NOON);
  unreadable(strange("B", 2));
  expect(session.decode(snapshot("C", 3), NOON).broken).toEqual([]);
  expect(isWhole(session)).toEqual([true, false, true]);
  expect(session.isOutOfReach("B")).toBe(true);
  let seq = 3;
  const requested: number[] = [];
  for (let second = 0; second < 600; second += 1) {
    const now = NOON + second * 1000;
    for (const { id, params } of sentBy(session.decode(heartbeat, now))) {
      expect(params).toMatchObject({ action: "get_snapshot", market_tickers: ["B"] });
      requested.push(second);
      unreadable(strange("B", (seq += 1), id), now);
    }
    const reported = session.decode(delta("A", (seq += 1)), now);
    expect(reported.broken).toEqual([]);
    expect(rowsIn(reported)).toBeGreaterThan(0);
  }
  expect(requested.length).toBeGreaterThan(8);
  expect(requested.length).toBeLessThan(20);
  session.decode(snapshot("B", seq + 1), NOON + 600_000);
  expect(isWhole(session)).toEqual([true, true, true]);
  expect(session.isOutOfReach("B")).toBe(false);
});

it("drops the book whose change is unreadable", () => {
  const { session, unreadable } = open();
  for (const [index, ticker] of TICKERS.entries()) session.decode(snapshot(ticker, index + 1), NOON);
  unreadable(delta("B", 4, { side: "both" }));
  expect(isWhole(session)).toEqual([true, false, true]);
  expect(rowsIn(session.decode(delta("B", 5), NOON))).toBe(0);
  expect(rowsIn(session.decode(delta("C", 6), NOON))).toBe(1);
});

it("drops every book when an unreadable frame does not name its market", () => {
  const { session, unreadable } = open();
  for (const [index, ticker] of TICKERS.entries()) session.decode(snapshot(ticker, index + 1), NOON);
  unreadable(strange(5, 4));
  expect(isWhole(session)).toEqual([false, false, false]);
  const [again] = sentBy(session.decode(heartbeat, NOON + 1000));
  expect(again?.params).toMatchObject({ action: "get_snapshot", market_tickers: TICKERS });
});

it("reports a missing frame with the next readable one, and ignores a late unreadable frame", () => {
  const { session, unreadable } = open();
  for (const [index, ticker] of TICKERS.entries()) session.decode(snapshot(ticker, index + 1), NOON);
  unreadable(strange("B", 5));
  expect(session.decode(delta("A", 6), NOON).broken?.map(({ instrument }) => instrument)).toEqual(TICKERS);
  expect(session.decode(strange("C", 4), NOON)).toEqual({ rows: [] });
});
