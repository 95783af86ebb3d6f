import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BookSession } from "../../../src/connectors/kalshi/book/book-session.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { PaperBookServer } from "./paper-book-server.ts";
import { replay } from "./replay.ts";

const TICKERS = ["A", "B", "C"];
const sorted = (totals: ReadonlyMap<number, number>) => [...totals].sort(([a], [b]) => a - b);

const best = (prices: number[]) => (prices.length === 0 ? null : Math.max(...prices) / 1000);

function connect() {
  const server = new PaperBookServer(TICKERS);
  const session = new BookSession();
  const rows = new Map<string, InsertRow[]>(TICKERS.map((ticker) => [ticker, []]));
  const broken: string[] = [];
  let checked = 0;
  for (const frame of session.subscribe(TICKERS)) server.receive(frame);
  /** Every row must leave a reader with the book the server had at that sequence number. */
  const deliver = ({ seq, frame }: { seq: number; frame: string }) => {
    const decoded = session.decode(frame, server.ms);
    for (const { instrument } of decoded.broken ?? []) broken.push(instrument);
    for (const row of decoded.rows.flatMap((part) => part.rows)) {
      const ticker = String(row["instrument"]);
      rows.get(ticker)!.push(row);
      const book = replay(rows.get(ticker)!);
      const truth = server.truth.get(seq)!.get(ticker)!;
      expect({ yes: sorted(book.yes), no: sorted(book.no) }).toEqual({ yes: sorted(truth.yes), no: sorted(truth.no) });
      expect(row["best_bid"] === null ? null : Number(row["best_bid"])).toBe(best([...truth.yes.keys()]));
      const asks = [...truth.no.keys()].map((price) => -price);
      expect(row["best_ask"] === null ? null : -Number(row["best_ask"])).toBe(best(asks));
      checked += 1;
    }
    for (const command of decoded.send ?? []) server.receive(command);
  };
  const flush = () => {
    while (server.wire.length > 0) deliver(server.wire.shift()!);
  };
  return { server, session, rows, broken, deliver, flush, checked: () => checked };
}

const step = fc.record({
  ticker: fc.constantFrom(...TICKERS),
  side: fc.constantFrom("yes" as const, "no" as const),
  price: fc.integer({ min: 1, max: 12 }),
  change: fc.integer({ min: -500, max: 500 }).filter((change) => change !== 0),
  wait: fc.integer({ min: 0, max: 3 }),
  late: fc.integer({ min: 0, max: 2 }),
  fate: fc.constantFrom("sent", "sent", "sent", "sent", "sent", "sent", "lost", "twice", "swapped"),
});

describe("a book session", () => {
  it("leaves a reader with the server's book after every row, despite lost, repeated or swapped frames", () => {
    let total = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const link = connect();
        link.flush();
        let held: { seq: number; frame: string } | undefined;
        for (const { ticker, side, price, change, wait, late, fate } of steps) {
          link.server.ms += wait;
          link.server.change(ticker, side, side === "yes" ? price : 20 + price, change, link.server.ms - late);
          const frame = link.server.wire.shift();
          if (frame === undefined || fate === "lost") continue;
          if (fate === "swapped" && held === undefined) {
            held = frame;
            continue;
          }
          link.deliver(frame);
          if (fate === "twice") link.deliver(frame);
          if (held !== undefined) link.deliver(held);
          held = undefined;
        }
        link.flush();
        // One more frame reveals a loss at the very end; then every book is complete again.
        link.server.change("A", "yes", 15, 100, link.server.ms);
        link.flush();
        for (const ticker of TICKERS) {
          const keys = link.rows
            .get(ticker)!
            .map((row) => `${String(row["ts"])} ${String(row["seq"]).padStart(9, "0")}`);
          expect(new Set(keys).size).toBe(keys.length);
          expect([...keys].sort()).toEqual(keys);
          const book = replay(link.rows.get(ticker)!);
          const truth = [...link.server.truth.values()].at(-1)!.get(ticker)!;
          expect({ yes: sorted(book.yes), no: sorted(book.no) }).toEqual({
            yes: sorted(truth.yes),
            no: sorted(truth.no),
          });
        }
        total += link.checked();
      }),
      { numRuns: 300 },
    );
    expect(total).toBeGreaterThan(1000);
  });

  it("marks every book broken at a sequence gap and applies nothing until the stream's own snapshot", () => {
    const link = connect();
    link.flush();
    const said = () => link.session.decode(link.server.wire.shift()!.frame, link.server.ms);
    link.server.change("A", "yes", 5, 100, link.server.ms);
    link.server.wire.shift();
    link.server.change("B", "yes", 5, 100, link.server.ms);
    const decoded = said();
    expect(decoded.rows).toEqual([]);
    expect(decoded.broken?.map(({ instrument }) => instrument)).toEqual(TICKERS);
    expect(decoded.send).toHaveLength(1);
    expect(JSON.parse(decoded.send![0]!)).toMatchObject({
      cmd: "update_subscription",
      params: { sids: [7], action: "get_snapshot", market_tickers: TICKERS },
    });
    link.server.change("A", "yes", 6, 100, link.server.ms);
    expect(said()).toEqual({ rows: [], broken: [], send: [], restored: [] });
  });

  it("reports books of a venue that restarted its count as wrong since the last frame of the old count", () => {
    const link = connect();
    link.flush();
    for (let count = 0; count < 5; count += 1) link.server.change("A", "yes", 5, 100, (link.server.ms += 1000));
    link.flush();
    const last = link.server.ms;
    const delta = { market_ticker: "A", price_dollars: "0.0500", delta_fp: "1.00", side: "yes" };
    const decoded = Array.from({ length: 101 }, (_, index) => {
      link.server.ms += 1000;
      const msg = { ...delta, ts_ms: link.server.ms };
      const frame = { type: "orderbook_delta", sid: 7, seq: 1 + (index % 5), msg };
      return link.session.decode(JSON.stringify(frame), link.server.ms);
    });
    expect(decoded.slice(0, 100).flatMap(({ broken }) => broken ?? [])).toEqual([]);
    expect(decoded[100]?.broken?.map(({ instrument, since }) => [instrument, since])).toEqual(
      TICKERS.map((ticker) => [ticker, last]),
    );
  });

  it("counts ok and unsubscribed frames in the sequence, so adding markets causes no false gap", () => {
    const link = connect();
    link.flush();
    const [add] = link.session.subscribe(["D"]);
    expect(JSON.parse(add!)).toMatchObject({ params: { action: "add_markets", sids: [7], market_tickers: ["D"] } });
    const seq = Math.max(...link.server.truth.keys());
    const ok = { id: 2, sid: 7, seq: seq + 1, type: "ok", msg: {} };
    const snapshot = { type: "orderbook_snapshot", sid: 7, seq: seq + 2, msg: { market_ticker: "D" } };
    expect(link.session.decode(JSON.stringify(ok), 0)).toEqual({ rows: [] });
    expect(link.session.decode(JSON.stringify(snapshot), 0).broken).toEqual([]);
    const over = { id: 3, sid: 7, seq: seq + 4, type: "unsubscribed" };
    expect(link.session.decode(JSON.stringify(over), 0).broken).toHaveLength(4);
  });

  it("timestamps changes by arrival if the venue's clock was set back, and reports the venue's timestamp", () => {
    const link = connect();
    link.flush();
    const was = link.server.ms;
    link.server.ms += 10_000;
    const said = () => link.session.decode(link.server.wire.shift()!.frame, link.server.ms);
    const tsOf = ({ rows }: ReturnType<typeof said>) => rows.flatMap((of) => of.rows.map(({ ts }) => ts));
    link.server.change("A", "yes", 5, 100, was - 3_600_000);
    const set = said();
    expect(tsOf(set)).toEqual([new Date(was + 10_000).toISOString()]);
    expect(set.venueMs).toBe(was - 3_600_000);
    // Frames of several markets arrive within a second or two of each other.
    link.server.change("B", "yes", 5, 100, was - 1000);
    expect(tsOf(said())).toEqual([new Date(was).toISOString()]);
  });

  it("keeps the venue's timestamp of a frame that also triggers a request", () => {
    const link = connect();
    link.flush();
    link.session.subscribe(["D"]);
    link.session.adopt({ instrument: "D", state: null }, link.server.ms);
    link.server.ms += 60_000;
    link.server.change("A", "yes", 5, 100, link.server.ms - 10);
    const decoded = link.session.decode(link.server.wire.shift()!.frame, link.server.ms);
    expect(decoded.send).toHaveLength(1);
    expect(decoded.venueMs).toBe(link.server.ms - 10);
  });

  it("writes the complete book again every 500 changes", () => {
    const link = connect();
    link.flush();
    for (let at = 0; at < 1200; at += 1) link.server.change("A", "yes", 1 + (at % 9), 100, link.server.ms + at);
    link.flush();
    expect(link.rows.get("A")!.filter((row) => row["kind"] === "snapshot")).toHaveLength(3);
    expect(link.rows.get("A")!.filter((row) => row["kind"] === "change")).toHaveLength(1200);
  });

  it("resubscribes when the venue ends the subscription, and reports which markets it refused", () => {
    const link = connect();
    link.flush();
    const over = link.session.decode(
      JSON.stringify({ type: "error", sid: 7, msg: { code: 25, msg: "Subscription buffer overflow" } }),
      0,
    );
    expect(over.broken).toHaveLength(3);
    expect(JSON.parse(over.send![0]!)).toMatchObject({
      cmd: "subscribe",
      params: { use_yes_price: true, market_tickers: TICKERS },
    });
    const { id } = JSON.parse(over.send![0]!) as { id: number };
    const refused = link.session.decode(
      JSON.stringify({ id, type: "error", msg: { code: 26, msg: "too many markets" } }),
      0,
    );
    expect(refused.broken?.map(({ reason }) => reason)).toEqual(
      Array(3).fill("Kalshi refused with 26: too many markets"),
    );
    expect(refused.send).toBeUndefined();
    // A book that never arrived is incomplete, and is no longer waited for.
    for (const ticker of TICKERS) {
      expect(link.session.isWhole(ticker)).toBe(false);
      expect(link.session.isOutOfReach(ticker)).toBe(true);
    }
  });

  it("detects a level that would fall below zero and requests the book again", () => {
    const link = connect();
    link.flush();
    const seq = Math.max(...link.server.truth.keys()) + 1;
    const msg = { market_ticker: "A", price_dollars: "0.5", delta_fp: "-1.00", side: "yes", ts_ms: link.server.ms };
    const decoded = link.session.decode(JSON.stringify({ type: "orderbook_delta", sid: 7, seq, msg }), 0);
    expect(decoded).toMatchObject({ rows: [], broken: [{ instrument: "A" }] });
    expect(decoded.send).toHaveLength(1);
  });
});
