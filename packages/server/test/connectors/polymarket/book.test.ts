import { createHash } from "node:crypto";
import { ZodError } from "zod";
import { describe, expect, it } from "vitest";
import { polymarketBookStream } from "../../../src/connectors/polymarket/book.ts";
import { bookHash } from "../../../src/connectors/polymarket/book/hash-check.ts";
import { bookSession, resyncBooks } from "../../../src/connectors/polymarket/book/book-session.ts";
import type { Decoded, Session } from "../../../src/definition/session.ts";
import type { InsertRow, TableDefinition } from "../../../src/definition/table.ts";
import { bookEvents } from "../../../src/tables/book-events.ts";
import { polymarketPrints } from "../../../src/tables/polymarket-prints.ts";
import { polymarketTokens } from "../../../src/tables/polymarket-tokens.ts";
import { memoryFeed } from "./memory-feed.ts";
import { absent, recordedLines } from "./recorded.ts";

const T1 = "103599770717172967719961451887620446300201640099216457678699864025236183422254";
const T2 = "90243325503506753930621691816281468582372219676994628181336121098731773998052";
const MARKET = `0x${"ab".repeat(32)}`;

const rowsOf = (decoded: Decoded, table: TableDefinition): InsertRow[] =>
  decoded.rows.filter((part) => part.table === table).flatMap((part) => part.rows);

type Pairs = [string, string][];
type Sides = { bids: Map<string, string>; asks: Map<string, string> };

/** A book rebuilt as a reader of the table does: the last snapshot, then the changes after it, by (ts, seq). */
function rebuild(rows: readonly InsertRow[]): Sides {
  const inOrder = rows.toSorted(
    (a, b) => String(a["ts"]).localeCompare(String(b["ts"])) || Number(a["seq"]) - Number(b["seq"]),
  );
  const from = inOrder.findLastIndex((row) => row["kind"] === "snapshot");
  const sides: Sides = { bids: new Map(), asks: new Map() };
  for (const row of inOrder.slice(Math.max(0, from))) {
    for (const side of ["bids", "asks"] as const) {
      for (const [price, size] of row[side] as Pairs) {
        if (size === "0") sides[side].delete(price);
        else sides[side].set(price, size);
      }
    }
  }
  return sides;
}

const frames = (): string[] =>
  recordedLines("ws_market/fleet_ws_messages_market_only.log").map((line) =>
    line.slice(line.indexOf("] [market] ") + 11),
  );

/** A recorded change with a later timestamp and the hash of a different book. */
const foreign = (text: string | undefined, seconds: number): string => {
  const message = JSON.parse(text ?? "{}") as { timestamp: string; price_changes: { hash: string }[] };
  message.timestamp = String(Number(message.timestamp) + seconds * 1000);
  for (const one of message.price_changes) one.hash = createHash("sha1").update(`${seconds}${one.hash}`).digest("hex");
  return JSON.stringify(message);
};

describe.skipIf(absent !== undefined)(
  `the market websocket, recorded${absent === undefined ? "" : `: ${absent}`}`,
  () => {
    it("accepts the verbatim frames without a gap, and matches the venue's own hash", () => {
      const session = bookSession();
      session.subscribe([T1]);
      const decoded = frames().map((frame) => session.decode(frame, 0));
      expect(decoded.flatMap((one) => one.broken ?? [])).toEqual([]);
      const rows = decoded.flatMap((one) => rowsOf(one, bookEvents));
      expect(rows.map((row) => row["kind"])).toEqual([
        "snapshot",
        "snapshot",
        "change",
        "change",
        "snapshot",
        "change",
        "change",
        "snapshot",
      ]);
      expect(rows[2]).toMatchObject({
        instrument: T1,
        ts: "2026-02-28T03:20:44.572Z",
        bids: [["0.999", "28182.48"]],
        asks: [],
        best_bid: "0.999",
        best_ask: null,
        hash: "e9067cd80cb112e2c72369f4c645769f2b0018cd",
      });
      const bids = rows[0]?.["bids"] as Pairs;
      expect(bids.at(-1)).toEqual(["0.999", "28382.48"]);
      expect(bids[0]).toEqual(["0.001", "10346.08"]);
    });

    it("detects by the hash that a frame was lost below the best prices", () => {
      const session = bookSession();
      session.subscribe([T1]);
      const [first, second, change, next] = frames();
      session.decode(first ?? "", 0);
      session.decode(second ?? "", 0);
      // Hashes of a different book, over a second apart, with the best prices unchanged.
      const outcomes = [session.decode(foreign(change, 2), 0), session.decode(foreign(next, 4), 0)];
      expect(outcomes.flatMap((one) => one.broken ?? [])).toEqual([
        { instrument: T1, reason: "the hash differs from the venue's", since: expect.any(Number) },
      ]);
    });

    it("stores 60,612 trades with distinct keys", () => {
      const session = bookSession();
      const known = new Set<string>();
      const keys = new Set<string>();
      let printed = 0;
      for (const line of recordedLines("ws_market/btc_eth_5m_20260514T185726Z_N20.jsonl.gz")) {
        if (!line.startsWith('{"type": "trade"')) continue;
        const trade = JSON.parse(line) as {
          token_id: string;
          condition_id: string;
          price: number;
          size: number;
          side: string;
          exchange_timestamp: string;
        };
        if (!known.has(trade.token_id)) session.subscribe([trade.token_id]);
        known.add(trade.token_id);
        const frame = JSON.stringify({
          event_type: "last_trade_price",
          market: trade.condition_id,
          asset_id: trade.token_id,
          price: String(trade.price),
          size: String(trade.size),
          side: trade.side,
          fee_rate_bps: "0",
          timestamp: trade.exchange_timestamp,
        });
        for (const row of rowsOf(session.decode(frame, 0), polymarketPrints)) {
          printed += 1;
          keys.add(
            [row["token_id"], row["ts"], row["price"], row["shares"], row["side"], row["tx_hash"], row["seq"]].join(
              "|",
            ),
          );
          expect(row["shares"]).toBe(String(trade.size));
        }
      }
      expect(printed).toBe(60_612);
      // Separate frames of one millisecond restart the numbering, so identical trades in them count as one.
      expect(keys.size).toBeGreaterThan(60_550);
    });

    it("accepts 45,512 sampled books as snapshots", () => {
      const session = bookSession();
      const known = new Set<string>();
      let books = 0;
      let crossed = 0;
      for (const line of recordedLines("ws_market/btc_eth_5m_20260514T185726Z_N20.jsonl.gz")) {
        if (!line.startsWith('{"type": "sample"')) continue;
        const frame = sampleFrame(JSON.parse(line) as Sample);
        if (!known.has(frame.asset_id)) session.subscribe([frame.asset_id]);
        known.add(frame.asset_id);
        const decoded = session.decode(JSON.stringify(frame), 0);
        crossed += decoded.broken?.length ?? 0;
        const rows = rowsOf(decoded, bookEvents);
        books += rows.length;
        for (const row of rows) expect((row["bids"] as Pairs).length).toBe(frame.bids.length);
      }
      expect(books).toBe(45_512);
      expect(crossed).toBe(0);
    });
  },
);

type Sample = { token_id: string; ts_utc: string; bids: [number, number][]; asks: [number, number][] };

const wireLevels = (pairs: [number, number][]) =>
  pairs.map(([price, size]) => ({ price: String(price), size: String(size) }));

/** Turns a one-second sample of a book into the message it was taken from. */
function sampleFrame({ token_id, ts_utc, bids, asks }: Sample) {
  const timestamp = String(Date.parse(ts_utc));
  return {
    event_type: "book",
    market: MARKET,
    asset_id: token_id,
    timestamp,
    hash: "",
    bids: wireLevels(bids),
    asks: wireLevels(asks),
  };
}

const level = (price: string, size: string) => ({ price, size });
const book = (ms: number, bids: unknown[], asks: unknown[], more: Record<string, unknown> = {}) =>
  JSON.stringify({
    event_type: "book",
    market: MARKET,
    asset_id: T1,
    timestamp: String(ms),
    hash: "",
    bids,
    asks,
    ...more,
  });
type Change = {
  asset_id?: string;
  price: string;
  size: string;
  side: "BUY" | "SELL";
  hash?: string;
  best_bid?: string;
  best_ask?: string;
};
const change = (ms: number, ...changes: Change[]) =>
  JSON.stringify({
    event_type: "price_change",
    market: MARKET,
    timestamp: String(ms),
    price_changes: changes.map((one) => Object.assign({ asset_id: T1, hash: "", best_bid: "", best_ask: "" }, one)),
  });

const MS = 1_780_000_000_000;

function opened(): Session {
  const session = bookSession();
  session.subscribe([T1]);
  session.decode(book(MS, [level("0.4", "10"), level("0.45", "5")], [level("0.6", "7"), level("0.5", "3")]), 0);
  return session;
}

describe("a book session", () => {
  it("subscribes to many tokens at fifty per frame, each once", () => {
    const tokens = Array.from({ length: 120 }, (_, index) => String(index));
    const requested = bookSession()
      .subscribe(tokens)
      .map((text) => JSON.parse(text) as { operation?: string; assets_ids: string[] });
    expect(requested.map(({ operation, assets_ids }) => [operation, assets_ids.length])).toEqual([
      [undefined, 50],
      ["subscribe", 50],
      ["subscribe", 20],
    ]);
    expect(requested.flatMap(({ assets_ids }) => assets_ids)).toEqual(tokens);
  });

  it("subscribes with the documented frame, then by operations, and only to new tokens", () => {
    const session = bookSession();
    expect(session.subscribe([])).toEqual([]);
    expect(JSON.parse(session.subscribe([T1])[0] ?? "")).toEqual({
      assets_ids: [T1],
      type: "market",
      custom_feature_enabled: true,
      initial_dump: true,
      level: 2,
    });
    expect(JSON.parse(session.subscribe([T1, T2])[0] ?? "")).toEqual({ operation: "subscribe", assets_ids: [T2] });
    expect(session.subscribe([T1, T2])).toEqual([]);
    expect(JSON.parse(session.unsubscribe([T1])[0] ?? "")).toEqual({ operation: "unsubscribe", assets_ids: [T1] });
    expect(polymarketBookStream).toMatchObject({
      maxInstrumentsPerSocket: 200,
      heartbeat: { send: "PING", everySeconds: 10 },
    });
  });

  it("sorts books itself, best last on both sides", () => {
    const session = bookSession();
    session.subscribe([T1]);
    const frame = book(
      MS,
      [level("0.45", "5"), level("0.4", "10")],
      [level("0.5", "3"), level("0.6", "7"), level("0.7", "0")],
    );
    const [row] = rowsOf(session.decode(`[${frame}]`, 0), bookEvents);
    expect(row).toMatchObject({
      bids: [
        ["0.4", "10"],
        ["0.45", "5"],
      ],
      asks: [
        ["0.6", "7"],
        ["0.5", "3"],
      ],
      best_bid: "0.45",
      best_ask: "0.5",
      ts: "2026-05-28T20:26:40.000Z",
    });
  });

  it("ignores PONG, empty frames and unknown kinds", () => {
    const session = opened();
    for (const frame of [
      "PONG",
      "",
      "[]",
      '{"event_type":"best_bid_ask"}',
      '{"event_type":"market_resolved"}',
      '{"event_type":"new_kind","x":1}',
    ]) {
      expect(session.decode(frame, 0)).toEqual({ rows: [] });
    }
  });

  it("refuses malformed frames with a zod error and continues", () => {
    const session = opened();
    const bad = [
      "not json",
      "{}",
      "5",
      JSON.stringify({ event_type: "book", asset_id: T1 }),
      book(MS, [{ price: 0.5, size: "1" }], []),
      book(MS, [level("abc", "1")], []),
      book(MS, [], [], { asset_id: 12345 }),
      change(MS, { price: "0.4", size: "-1", side: "BUY" }),
      JSON.stringify({ event_type: "price_change", market: MARKET, timestamp: String(MS) }),
    ];
    for (const frame of bad) expect(() => session.decode(frame, 0), frame).toThrow(ZodError);
    expect(
      rowsOf(session.decode(change(MS + 1, { price: "0.4", size: "11", side: "BUY" }), 0), bookEvents),
    ).toHaveLength(1);
  });

  it("stores changed levels only, removes a level of size 0, and splits a message about both tokens", () => {
    const session = opened();
    session.subscribe([T2]);
    session.decode(book(MS, [level("0.5", "3")], [level("0.55", "5")], { asset_id: T2 }), 0);
    const frame = change(
      MS + 5,
      { price: "0.45", size: "0", side: "BUY", best_bid: "0.4", best_ask: "0.5" },
      { asset_id: T2, price: "0.55", size: "0", side: "SELL", best_bid: "0.5", best_ask: "1" },
    );
    const rows = rowsOf(session.decode(frame, 0), bookEvents);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      kind: "change",
      bids: [["0.45", "0"]],
      asks: [],
      best_bid: "0.4",
      best_ask: "0.5",
      seq: 0,
    });
    expect(rows[1]).toMatchObject({ instrument: T2, bids: [], asks: [["0.55", "0"]], best_bid: "0.5", best_ask: null });
  });

  it("numbers events within a millisecond and drops repeated ones", () => {
    const session = opened();
    const one = change(MS + 5, { price: "0.3", size: "1", side: "BUY", hash: "h1" });
    const two = change(MS + 5, { price: "0.31", size: "1", side: "BUY", hash: "h2" });
    const rows = [one, two, one].flatMap((frame) => rowsOf(session.decode(frame, 0), bookEvents));
    expect(rows.map((row) => row["seq"])).toEqual([0, 1]);
  });

  it("does not let a late message undo a later one, in the book and in the rows", () => {
    const session = opened();
    const rows = [
      change(MS + 20, { price: "0.3", size: "2", side: "BUY", hash: "b" }),
      change(MS + 10, { price: "0.3", size: "1", side: "BUY", hash: "a" }),
      change(MS + 30, { price: "0.2", size: "1", side: "BUY", hash: "c" }),
    ].flatMap((frame) => rowsOf(session.decode(frame, 0), bookEvents));
    expect(rebuild(rows).bids.get("0.3")).toBe("2");
  });

  it("detects a lost message by the best prices, waits, and continues after the resync", () => {
    const session = opened();
    const broken = session.decode(
      change(MS + 10, { price: "0.3", size: "2", side: "BUY", best_bid: "0.46", best_ask: "0.5" }),
      0,
    );
    expect(broken.broken).toEqual([{ instrument: T1, reason: "the best bid differs from the venue's", since: MS }]);
    expect(session.decode(change(MS + 11, { price: "0.31", size: "9", side: "BUY", hash: "x" }), 0)).toEqual({
      rows: [],
    });
    expect(session.decode(change(MS + 12, { price: "0.32", size: "8", side: "BUY", hash: "y" }), 0)).toEqual({
      rows: [],
    });
    const state = JSON.parse(
      book(MS + 11, [level("0.31", "9"), level("0.46", "1")], [level("0.5", "3")], { hash: "x" }),
    ) as unknown;
    const rows = rowsOf(session.adopt({ instrument: T1, state }, 0), bookEvents);
    expect(rows.map((row) => row["kind"])).toEqual(["snapshot", "change"]);
    expect(rebuild(rows).bids).toEqual(
      new Map([
        ["0.31", "9"],
        ["0.46", "1"],
        ["0.32", "8"],
      ]),
    );
    expect(rows[0]?.["seq"]).toBe(1_000_000);
  });

  it("tracks the hash across trades of either token, and detects a level that it never received", () => {
    const parts = { market: MARKET, asset_id: T1, min_order_size: "5", tick_size: "0.01", neg_risk: false };
    const asks = [level("0.6", "7")];
    const hashAt = (ms: number, bids: { price: string; size: string }[], last_trade_price: string): string =>
      bookHash({ ...parts, last_trade_price }, ms, bids, asks);
    const session = bookSession();
    session.subscribe([T1]);
    const bids = [level("0.3", "1"), level("0.4", "10")];
    const whole = { tick_size: "0.01", last_trade_price: "0.5", hash: hashAt(MS, bids, "0.5") };
    session.decode(book(MS, bids, asks, whole), 0);
    const traded = {
      event_type: "last_trade_price",
      market: MARKET,
      asset_id: T2,
      price: "0.46",
      size: "2",
      side: "BUY",
      timestamp: String(MS),
    };
    session.decode(JSON.stringify(traded), 0);
    const next = (step: number, size: string, reported: { price: string; size: string }[]) =>
      session.decode(
        change(MS + step * 2000, { price: "0.4", size, side: "BUY", hash: hashAt(MS + step * 2000, reported, "0.46") }),
        0,
      ).broken;
    for (const step of [1, 2, 3])
      expect(next(step, String(step), [level("0.3", "1"), level("0.4", String(step))])).toBeUndefined();
    const tick = {
      event_type: "tick_size_change",
      market: MARKET,
      asset_id: T1,
      old_tick_size: "0.01",
      new_tick_size: "0.001",
      timestamp: String(MS),
    };
    expect(session.decode(JSON.stringify(tick), 0).broken).toBeUndefined();
    parts.tick_size = "0.001";
    for (const step of [4, 5, 6])
      expect(next(step, String(step), [level("0.3", "1"), level("0.4", String(step))])).toBeUndefined();
    expect(next(7, "4", [level("0.31", "1"), level("0.4", "4")])).toBeUndefined();
    expect(next(8, "5", [level("0.31", "1"), level("0.4", "5")])).toEqual([
      { instrument: T1, reason: "the hash differs from the venue's", since: MS + 12_000 },
    ]);
  });

  it("does not trust a crossed book or one whose tick size changed", () => {
    expect(opened().decode(change(MS + 1, { price: "0.7", size: "1", side: "BUY" }), 0).broken?.[0]?.reason).toBe(
      "the book is crossed",
    );
    const tick = {
      event_type: "tick_size_change",
      market: MARKET,
      asset_id: T1,
      old_tick_size: "0.01",
      new_tick_size: "0.001",
      timestamp: String(MS),
    };
    expect(opened().decode(JSON.stringify(tick), 0).broken?.[0]?.reason).toBe("the tick size changed");
  });

  it("writes a snapshot at least every 500 changes and every ten minutes", () => {
    const session = opened();
    const kinds: unknown[] = [];
    for (let index = 1; index <= 1200; index += 1) {
      const frame = change(MS + index * 10, { price: "0.3", size: String(index), side: "BUY" });
      kinds.push(...rowsOf(session.decode(frame, 0), bookEvents).map((row) => row["kind"]));
    }
    expect(kinds.filter((kind) => kind === "snapshot")).toHaveLength(2);
    const late = session.decode(change(MS + 700_000, { price: "0.3", size: "1", side: "BUY" }), 0);
    expect(rowsOf(late, bookEvents).map((row) => row["kind"])).toEqual(["change", "snapshot"]);
  });

  it("detects by a fetched book that the last message was lost", () => {
    const session = opened();
    const fetched = (bids: unknown[], ms = MS) => ({
      instrument: T1,
      state: JSON.parse(book(ms, bids, [level("0.6", "7"), level("0.5", "3")])) as unknown,
    });
    const same = [level("0.4", "10.0"), level("0.45", "5")];
    expect(session.follows?.(fetched(same, MS + 9), MS + 50)).toBe(true);
    expect(session.follows?.(fetched([level("0.4", "10")], MS - 1), MS + 60)).toBe(true);
    expect(session.follows?.(fetched([level("0.4", "10")]), MS + 60)).toBe(false);
    expect(session.follows?.({ instrument: T1, state: null }, MS + 60)).toBe(false);
    const missed = [{ instrument: T1, reason: "missed", since: MS + 9 }];
    expect(session.distrust?.(T1, "missed")).toEqual({ rows: [], broken: missed });
    expect(session.isWhole?.(T1)).toBe(false);
    expect(session.distrust?.(T1, "again")).toEqual({ rows: [] });
    expect(session.adopt(fetched(same, MS + 9), 0)).toMatchObject({ restored: [T1] });
    expect(session.isWhole?.(T1)).toBe(true);
  });

  it("stores a book that no longer exists once, as an empty one, and does not trust it", () => {
    const session = opened();
    session.distrust?.(T1, "gone");
    const gone = { instrument: T1, state: null };
    expect(rowsOf(session.adopt(gone, MS + 500), bookEvents)).toMatchObject([
      { kind: "snapshot", ts: new Date(MS + 500).toISOString(), bids: [], asks: [], best_bid: null },
    ]);
    expect(session.adopt(gone, MS + 900)).toEqual({ rows: [] });
    expect(session.isWhole?.(T1)).toBe(false);
    expect(session.decode(book(MS + 999, [level("0.4", "1")], []), 0)).toMatchObject({ restored: [T1] });
  });

  it("does not store the dump after a resync again if it is the same book", () => {
    const session = bookSession();
    session.subscribe([T1]);
    const frame = book(MS, [level("0.4", "10")], [], { hash: "abc" });
    expect(rowsOf(session.adopt({ instrument: T1, state: JSON.parse(frame) as unknown }, 0), bookEvents)).toHaveLength(
      1,
    );
    expect(session.decode(frame, 0)).toEqual({ rows: [] });
  });

  it("stores trades, numbers identical ones, and learns the tokens of new markets", () => {
    const session = opened();
    const print = JSON.stringify({
      event_type: "last_trade_price",
      market: MARKET,
      asset_id: T1,
      price: "0.456",
      size: "219.217767",
      fee_rate_bps: "0",
      side: "BUY",
      timestamp: String(MS),
      transaction_hash: "0xAB",
    });
    const rows = rowsOf(session.decode(`[${print},${print}]`, 0), polymarketPrints);
    expect(rows.map((row) => row["seq"])).toEqual([0, 1]);
    expect(rows[0]).toMatchObject({
      token_id: T1,
      condition_id: MARKET,
      price: "0.456",
      shares: "219.217767",
      side: "BUY",
      tx_hash: "0xab",
    });
    const listed = JSON.stringify({
      event_type: "new_market",
      id: "1",
      market: MARKET,
      slug: "s",
      assets_ids: [T1, T2],
      outcomes: ["Yes", "No"],
      condition_id: MARKET,
    });
    const decoded = session.decode(listed, 0);
    expect(decoded.rows[0]?.mode).toBe("if_absent");
    expect(rowsOf(decoded, polymarketTokens).map((row) => [row["token_id"], row["outcome"]])).toEqual([
      [T1, "Yes"],
      [T2, "No"],
    ]);
  });

  it("fetches books by POST, a hundred tokens a call", async () => {
    const bodies: number[] = [];
    const feed = memoryFeed({
      post: (call) => {
        const body = call.body as { token_id: string }[];
        bodies.push(body.length);
        return body.slice(1).map(({ token_id }) => JSON.parse(book(MS, [], [], { asset_id: token_id })) as unknown);
      },
    });
    const tokens = Array.from({ length: 150 }, (_, index) => String(index + 1));
    const states = [];
    for await (const state of resyncBooks(feed, tokens)) states.push(state.instrument);
    expect(bodies).toEqual([100, 50]);
    expect(states).toHaveLength(148);
  });
});
