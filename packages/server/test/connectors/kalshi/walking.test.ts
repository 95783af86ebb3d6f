import { afterEach, describe, expect, it } from "vitest";
import { kalshiBookRestStream } from "../../../src/connectors/kalshi/book-rest.ts";
import { kalshiCandlesStream } from "../../../src/connectors/kalshi/candles.ts";
import { kalshiTradesStream } from "../../../src/connectors/kalshi/trades.ts";
import type { Cursor } from "../../../src/definition/connector.ts";
import { httpFeed } from "./http-feed.ts";
import { runPull } from "./run-pull.ts";
import { scriptedVenue, type Answer } from "./scripted-venue.ts";

const CUTOFF = Date.UTC(2026, 6, 28) / 1000;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const trade = (seconds: number, id: string) => ({
  trade_id: id,
  ticker: "T-1",
  created_time: iso(seconds),
  count_fp: "1.00",
  yes_price_dollars: "0.5000",
  no_price_dollars: "0.5000",
  taker_outcome_side: "yes",
  is_block_trade: false,
});
type Trade = ReturnType<typeof trade>;

let venue: Awaited<ReturnType<typeof scriptedVenue>> | undefined;
afterEach(async () => {
  await venue?.close();
  venue = undefined;
});

async function open(answer: (path: string, query: URLSearchParams) => Answer) {
  venue = await scriptedVenue(answer);
  return { feed: httpFeed(venue.url), requested: venue.requested };
}

/** Trades newest first, `size` a page; the cursor encodes a position but not the filters. */
function tape(trades: readonly Trade[], query: URLSearchParams, size: number): Answer {
  const at = (one: Trade) => Date.parse(one.created_time) / 1000;
  const from = Number(query.get("min_ts") ?? 0);
  const to = Number(query.get("max_ts") ?? Number.MAX_SAFE_INTEGER);
  const passing = trades.filter((one) => at(one) >= from && at(one) <= to).sort((a, b) => at(b) - at(a));
  const start = Number(query.get("cursor") ?? 0);
  const page = passing.slice(start, start + Math.min(size, Number(query.get("limit"))));
  return { body: { trades: page, cursor: start + page.length < passing.length ? String(start + page.length) : "" } };
}

const namedIn = (path: string) => new URL(path, "http://x").searchParams.getAll("tickers");
const fullBooks = (query: URLSearchParams) =>
  query.getAll("tickers").map((ticker) => ({ ticker, orderbook_fp: { yes_dollars: [["0.1000", "5.00"]] } }));

const quotes = { open_dollars: "0.1000", high_dollars: "0.1000", low_dollars: "0.1000", close_dollars: "0.1000" };
const candle = (end_period_ts: number) => ({
  end_period_ts,
  price: {},
  yes_bid: quotes,
  yes_ask: quotes,
  volume_fp: "0.00",
  open_interest_fp: "0.00",
});

const ids = (rows: readonly Record<string, unknown>[]) => rows.map((row) => row["trade_id"]);

describe("the live trades stream", () => {
  const trades = Array.from({ length: 40 }, (_, at) => trade(CUTOFF + at * 10, `t${at}`));

  it("continues from its cursor, rereads the overlap and sends the filters with every page", async () => {
    const { feed, requested } = await open((_path, query) => tape(trades, query, 7));
    let seconds = CUTOFF + 390;
    const now = () => seconds * 1000;
    const first = await runPull(kalshiTradesStream, feed, { now });
    expect(new Set(ids(first.rows)).size).toBe(40);
    expect(first.last).toMatchObject({ cursor: { last_ts: CUTOFF + 390 }, since: "2026-07-28T00:00:00.000000Z" });
    expect(first.batches.slice(0, -1).every(({ cursor }) => cursor["last_ts"] === null)).toBe(true);
    seconds = CUTOFF + 420;
    trades.push(
      trade(CUTOFF + 400, "late"),
      ...Array.from({ length: 20 }, (_, at) => trade(CUTOFF + 401 + at, `n${at}`)),
    );
    // Wherever the walk is cut off, the next one finds the rest.
    for (let stop = 1; stop < 5; stop += 1) {
      const cut = (await runPull(kalshiTradesStream, feed, { cursor: first.last?.cursor, now })).batches.slice(0, stop);
      const rest = await runPull(kalshiTradesStream, feed, { cursor: cut.at(-1)?.cursor, now });
      const both = [...cut.flatMap((batch) => batch.rows.flatMap((part) => part.rows)), ...rest.rows];
      expect(new Set(ids(both)).size).toBe(23);
    }
    requested.length = 0;
    const second = await runPull(kalshiTradesStream, feed, { cursor: first.last?.cursor, now });
    expect(ids(second.rows)).toEqual([...Array.from({ length: 20 }, (_, at) => `n${19 - at}`), "late", "t39", "t38"]);
    expect(second.last).toMatchObject({ cursor: { last_ts: CUTOFF + 420 }, isCaughtUp: true });
    expect(requested.length).toBe(4);
    for (const path of requested) expect(path).toContain(`min_ts=${CUTOFF + 390 - 16}`);
  });

  it("begins after the second in which its first walk broke off, whose other trades were not read", async () => {
    const many = Array.from({ length: 100 }, (_, at) => trade(CUTOFF + Math.floor(at / 4), `t${at}`));
    const { feed } = await open((_path, query) => tape(many, query, 7));
    const { rows, last } = await runPull(kalshiTradesStream, feed, { now: () => (CUTOFF + 30) * 1000 });
    const since = Date.parse(last?.since ?? "") / 1000;
    const covered = many.filter(({ created_time }) => Date.parse(created_time) / 1000 >= since);
    expect(rows).toHaveLength(70);
    expect(covered.length).toBeGreaterThan(60);
    expect(ids(rows)).toEqual(expect.arrayContaining(covered.map(({ trade_id }) => trade_id)));
  });

  it.each([
    ["the first walk", undefined],
    ["a later one", { last_ts: CUTOFF - 1 }],
    ["one that catches up in windows", { last_ts: CUTOFF - 4000 }],
  ])("does not pass this machine's time if %s meets a trade stamped ahead", async (_of, saved) => {
    const tapeNow = [trade(CUTOFF, "a"), trade(CUTOFF + 3600, "ahead")];
    const { feed } = await open((_path, query) => tape(tapeNow, query, 7));
    const first = await runPull(kalshiTradesStream, feed, { cursor: saved, now: () => (CUTOFF + 5) * 1000 });
    expect(ids(first.rows)).toContain("ahead");
    expect(Date.parse(first.last?.reached ?? "")).toBeLessThanOrEqual((CUTOFF + 5) * 1000);
    tapeNow.push(trade(CUTOFF + 6, "b"));
    const next = await runPull(kalshiTradesStream, feed, {
      cursor: first.last?.cursor,
      now: () => (CUTOFF + 10) * 1000,
    });
    expect(ids(next.rows)).toContain("b");
    expect(Date.parse(next.last?.reached ?? "")).toBeLessThanOrEqual((CUTOFF + 10) * 1000);
  });

  it("catches up in windows, oldest first, each with its own cursor", async () => {
    const many = Array.from({ length: 100 }, (_, at) => trade(CUTOFF + at * 100, `t${at}`));
    const { feed } = await open((_path, query) => tape(many, query, 5));
    const cycle = { cursor: { last_ts: CUTOFF - 1 }, now: () => (CUTOFF + 9_900) * 1000 };
    const { rows, batches, last } = await runPull(kalshiTradesStream, feed, cycle);
    expect(new Set(ids(rows))).toEqual(new Set(ids(many)));
    const places = [...new Set(batches.map(({ cursor }) => Number(cursor["last_ts"])))];
    expect(places.length).toBeGreaterThan(10);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    for (const [index, { cursor, rows: parts }] of batches.entries()) {
      // No trade older than a saved cursor may arrive later.
      const later = batches.slice(index + 1).flatMap((batch) => batch.rows.flatMap((part) => part.rows));
      const before = new Set(
        ids(batches.slice(0, index + 1).flatMap((batch) => batch.rows.flatMap((part) => part.rows))),
      );
      const missed = later.filter(
        (row) =>
          Date.parse(String(row["created_time"])) / 1000 <= Number(cursor["last_ts"]) && !before.has(row["trade_id"]),
      );
      expect(missed).toEqual([]);
      expect(parts.length).toBeLessThanOrEqual(1);
    }
    expect(last).toMatchObject({ cursor: { last_ts: CUTOFF + 9_900 }, isCaughtUp: true });
  });

  it("reports what left the live tier during a long stop, and continues where that tier begins", async () => {
    const now = CUTOFF + 9_700;
    const stopped = CUTOFF - 5 * 86_400;
    const old = Array.from({ length: 20 }, (_, at) => trade(stopped + at * 20_000, `o${at}`));
    const kept = Array.from({ length: 20 }, (_, at) => trade(CUTOFF + 100 + at * 500, `k${at}`));
    const { feed } = await open((path, query) => {
      if (path !== "/historical/cutoff") return tape(path === "/historical/trades" ? old : kept, query, 7);
      return { body: { market_settled_ts: iso(CUTOFF), trades_created_ts: iso(CUTOFF) } };
    });
    const cycle = { cursor: { last_ts: stopped }, now: () => now * 1000 };
    const { rows, batches, last } = await runPull(kalshiTradesStream, feed, cycle);
    expect(new Set(ids(rows))).toEqual(new Set(ids(kept)));
    expect(last?.isCaughtUp).toBe(true);
    const gaps = batches.flatMap(({ gap }) => gap ?? []);
    expect(gaps).toHaveLength(1);
    const [from, to] = [gaps[0]?.from ?? "", gaps[0]?.to ?? ""].map((text) => Date.parse(text) / 1000);
    expect(from).toBeLessThanOrEqual(stopped);
    expect(to).toBe(CUTOFF + 3600);
    const filled = await runPull(kalshiTradesStream, feed, {
      range: { from: gaps[0]?.from ?? "", to: gaps[0]?.to ?? "" },
    });
    expect(new Set([...ids(rows), ...ids(filled.rows)])).toEqual(new Set(ids([...old, ...kept])));
  });

  it("requests a page again that was returned twice, and reports it", async () => {
    let faults = 0;
    const { feed } = await open((_path, query) => {
      if (query.get("cursor") === "14" && faults < 2) {
        faults += 1;
        query.set("cursor", "7");
      }
      return tape(trades.slice(0, 40), query, 7);
    });
    const { rows, batches } = await runPull(kalshiTradesStream, feed, { now: () => CUTOFF * 1000 });
    expect(new Set(ids(rows)).size).toBe(40);
    expect(rows).toHaveLength(40);
    const notices = batches.flatMap((batch) => batch.notices ?? []);
    expect(notices).toEqual([{ kind: "repeated_page", text: "/markets/trades returned a page again", count: 2 }]);
  });

  it("gives up on a cursor that repeats instead of walking forever", async () => {
    const { feed, requested } = await open(() => ({ body: { trades: [trade(CUTOFF, "x")], cursor: "same" } }));
    await expect(runPull(kalshiTradesStream, feed)).rejects.toThrow("repeats");
    expect(requested.length).toBeLessThan(8);
  });
});

describe("a backfill of trades", () => {
  const all = Array.from({ length: 3000 }, (_, at) => trade(CUTOFF - 15_000 + at * 10, `t${at}`));
  const live = all.filter((one) => Date.parse(one.created_time) / 1000 >= CUTOFF - 600);
  const old = all.filter((one) => Date.parse(one.created_time) / 1000 < CUTOFF);
  const range = { from: iso(CUTOFF - 12_000), to: iso(CUTOFF + 12_000) };
  const wanted = all.filter((one) => one.created_time >= range.from && one.created_time <= range.to);
  const answer = (path: string, query: URLSearchParams): Answer => {
    if (path === "/historical/cutoff") {
      return { body: { market_settled_ts: iso(CUTOFF), trades_created_ts: iso(CUTOFF) } };
    }
    return tape(path === "/historical/trades" ? old : live, query, 50);
  };

  it("walks both tiers and yields each trade once", async () => {
    const { feed, requested } = await open(answer);
    const { rows, batches } = await runPull(kalshiTradesStream, feed, { range });
    expect(rows).toHaveLength(wanted.length);
    expect(new Set(ids(rows))).toEqual(new Set(ids(wanted)));
    expect(batches.at(-1)).toMatchObject({ since: "2026-07-27T20:40:00.000000Z", isCaughtUp: true });
    expect(requested.some((path) => path.startsWith("/historical/trades"))).toBe(true);
  });

  it("continues from any saved cursor without losing a trade", async () => {
    const { feed } = await open(answer);
    const whole = await runPull(kalshiTradesStream, feed, { range });
    for (let stop = 1; stop < whole.batches.length; stop += 9) {
      const before = whole.batches.slice(0, stop);
      const { rows } = await runPull(kalshiTradesStream, feed, { range, cursor: before.at(-1)?.cursor });
      const stored = new Set([
        ...ids(before.flatMap((batch) => batch.rows.flatMap((part) => part.rows))),
        ...ids(rows),
      ]);
      expect(stored.size).toBe(wanted.length);
    }
  });

  it("loses nothing when the cutoff moves past the window being walked", async () => {
    let reads = 0;
    const { feed } = await open((path, query) => {
      if (path === "/historical/cutoff") reads += 1;
      // After the first read everything has moved to the historical tier.
      const moved = reads > 1 || path === "/markets/trades" || path === "/historical/trades";
      const cutoff = iso(moved && reads > 1 ? CUTOFF + 86_400 : CUTOFF);
      if (path === "/historical/cutoff") return { body: { market_settled_ts: cutoff, trades_created_ts: cutoff } };
      return tape(path === "/historical/trades" ? all : [], query, 50);
    });
    const { rows } = await runPull(kalshiTradesStream, feed, { range });
    expect(new Set(ids(rows)).size).toBe(wanted.length);
  });
});

describe("polled books and candles", () => {
  it("requests books by repeated parameters, at most a hundred, and writes only changed ones", async () => {
    const tickers = Array.from({ length: 250 }, (_, at) => `T-${at}`);
    let best = "0.5000";
    const { feed, requested } = await open((_path, query) => ({
      body: {
        orderbooks: query.getAll("tickers").map((ticker) => ({
          ticker,
          orderbook_fp: {
            yes_dollars: [
              ["0.1000", "5.00"],
              [ticker === "T-7" ? best : "0.5000", "1.00"],
            ],
            no_dollars: ticker === "T-8" ? null : [["0.4000", "2.50"]],
          },
        })),
      },
    }));
    const first = await runPull(kalshiBookRestStream, feed, { tickers, now: () => 1_790_000_000_123 });
    expect(requested.map((path) => path.split("tickers=").length - 1)).toEqual([100, 100, 50]);
    expect(first.rows).toHaveLength(250);
    expect(first.rows[7]).toEqual({
      instrument: "T-7",
      ts: "2026-09-21T14:13:20.123Z",
      seq: 0,
      kind: "snapshot",
      venue: "kalshi",
      bids: [
        ["0.1", "5"],
        ["0.5", "1"],
      ],
      asks: [["0.6", "2.5"]],
      best_bid: "0.5",
      best_ask: "0.6",
      hash: "",
    });
    expect(first.rows[8]).toMatchObject({ asks: [], best_ask: null });
    const second = await runPull(kalshiBookRestStream, feed, { tickers, cursor: first.last?.cursor });
    expect(second.rows).toEqual([]);
    best = "0.5100";
    const third = await runPull(kalshiBookRestStream, feed, { tickers, cursor: second.last?.cursor });
    expect(third.rows.map((row) => [row["instrument"], row["best_bid"]])).toEqual([["T-7", "0.51"]]);
  });

  it("stores books again after the clock was set back, and once it has caught up again", async () => {
    const { feed } = await open((_path, query) => ({ body: { orderbooks: fullBooks(query) } }));
    let cursor: Cursor | undefined;
    const stored: number[] = [];
    const noon = Date.UTC(2026, 10, 29, 12);
    for (const seconds of [0, 3600, 15, 30, 20, 35, 3615, 3630]) {
      const now = () => noon + seconds * 1000;
      const { rows, last } = await runPull(kalshiBookRestStream, feed, { tickers: ["A", "B"], cursor, now });
      stored.push(rows.length);
      cursor = last?.cursor;
    }
    expect(stored).toEqual([2, 0, 2, 0, 2, 0, 2, 0]);
  });

  it("stores books again after a cycle that began before the clock caught up, and reports that time as a gap", async () => {
    const { feed } = await open((_path, query) => ({ body: { orderbooks: fullBooks(query) } }));
    let cursor: Cursor | undefined;
    const noon = Date.UTC(2026, 10, 29, 12);
    const at = (seconds: number) => new Date(noon + seconds * 1000).toISOString();
    const cycles = [
      { from: 0, to: 1, stored: 2, gap: undefined },
      { from: 3600, to: 3601, stored: 0, gap: [at(0), at(3601)] },
      { from: 15, to: 16, stored: 2, gap: [at(15), at(3601)] },
      { from: 30, to: 31, stored: 0, gap: undefined },
      { from: 3600, to: 3610, stored: 0, gap: [at(30), at(3610)] },
      { from: 3625, to: 3626, stored: 2, gap: [at(3601), at(3626)] },
      { from: 3640, to: 3641, stored: 0, gap: undefined },
    ];
    for (const { from, to, stored, gap } of cycles) {
      const timestamps = [from, from];
      const now = () => noon + (timestamps.shift() ?? to) * 1000;
      const { batches, rows, last } = await runPull(kalshiBookRestStream, feed, { tickers: ["A", "B"], cursor, now });
      expect([from, rows.length]).toEqual([from, stored]);
      expect(batches.map((batch) => batch.gap && [batch.gap.from, batch.gap.to])).toEqual([gap]);
      cursor = last?.cursor;
    }
  });

  it("stores books again after a cycle during which the clock was set back, and reports that time as a gap", async () => {
    const { feed } = await open((_path, query) => ({ body: { orderbooks: fullBooks(query) } }));
    let cursor: Cursor | undefined;
    const noon = Date.UTC(2026, 10, 29, 12);
    const at = (seconds: number) => new Date(noon + seconds * 1000).toISOString();
    const cycles = [
      { seconds: [60, 60, 60, 60, 60], count: 2, gap: undefined },
      // The second book is stored with a timestamp before that of the first.
      { seconds: [75, 75, 76, 16, 17], count: 2, gap: [at(16), at(76)], isChanged: true },
      { seconds: [32, 32, 32, 32, 32], count: 2, gap: undefined },
      { seconds: [47, 47], count: 0, gap: undefined },
      { seconds: [77, 77, 77, 77, 77], count: 2, gap: [at(76), at(77)] },
      { seconds: [92, 92], count: 0, gap: undefined },
    ];
    for (const { seconds, count, gap, isChanged } of cycles) {
      const readings = [...seconds];
      const now = () => noon + (readings.shift() ?? seconds.at(-1) ?? 0) * 1000;
      const stored = isChanged === true ? Object.assign({}, cursor, { A: "another", B: "another" }) : cursor;
      const options = { tickers: ["A", "B"], cursor: stored, now };
      const { batches, rows, last } = await runPull(kalshiBookRestStream, feed, options);
      expect([seconds[0], rows.length]).toEqual([seconds[0], count]);
      expect(batches.map((batch) => batch.gap && [batch.gap.from, batch.gap.to])).toEqual([gap]);
      cursor = last?.cursor;
    }
  });

  it("stores books again after an interrupted cycle, and once the clock reaches where that cycle ended", async () => {
    const { feed } = await open((_path, query) => ({ body: { orderbooks: fullBooks(query) } }));
    let cursor: Cursor | undefined;
    const noon = Date.UTC(2026, 10, 29, 12);
    const cycles = [
      { seconds: 0, resumed: { storedTo: undefined }, stored: 2 },
      { seconds: 15, resumed: undefined, stored: 0 },
      // A cycle an hour ahead did not save its cursor, and the clock was set back.
      { seconds: 30, resumed: { storedTo: noon + 3_600_000 }, stored: 2 },
      { seconds: 45, resumed: undefined, stored: 0 },
      { seconds: 3600, resumed: undefined, stored: 2 },
      { seconds: 3615, resumed: undefined, stored: 0 },
      // An earlier process did the same.
      { seconds: 3630, resumed: { storedTo: undefined }, aheadTo: 3690, stored: 2 },
      { seconds: 3645, resumed: undefined, stored: 0 },
      { seconds: 3690, resumed: undefined, stored: 2 },
      { seconds: 3705, resumed: undefined, stored: 0 },
    ];
    for (const { seconds, resumed, aheadTo, stored } of cycles) {
      const now = () => noon + seconds * 1000;
      const aheadMs = noon + (aheadTo ?? 0) * 1000;
      const { rows, last } = await runPull(kalshiBookRestStream, feed, {
        tickers: ["A", "B"],
        cursor,
        resumed,
        now,
        ...(aheadTo !== undefined && { ahead: [aheadMs - 1, aheadMs] }),
      });
      expect([seconds, rows.length]).toEqual([seconds, stored]);
      cursor = last?.cursor;
    }
  });

  it("requests the book of a no longer active market until it is empty", async () => {
    const full = { yes_dollars: [["0.1000", "5.00"]], no_dollars: null };
    const gone = new Set<string>();
    const books = new Map([
      ["CLOSED", full],
      ["EMPTIED", full],
      ["RESTING", full],
      ["ACTIVE", full],
    ]);
    const { feed, requested } = await open((_path, query) => ({
      body: {
        orderbooks: query
          .getAll("tickers")
          .filter((ticker) => !gone.has(ticker))
          .map((ticker) => ({ ticker, orderbook_fp: books.get(ticker) })),
      },
    }));
    const cycle = async (tickers: readonly string[], cursor?: Cursor) => {
      requested.length = 0;
      const { rows, last } = await runPull(kalshiBookRestStream, feed, { tickers, cursor });
      const named = requested.flatMap(namedIn);
      const reported = rows.map((row) => [row["instrument"], row["kind"], row["best_bid"], row["bids"]]);
      return { reported, cursor: last?.cursor, named: named.toSorted() };
    };
    const first = await cycle([...books.keys()]);
    expect(first.reported).toHaveLength(4);
    gone.add("CLOSED");
    books.set("EMPTIED", { yes_dollars: [], no_dollars: null });
    const second = await cycle(["ACTIVE"], first.cursor);
    expect(second.named).toEqual(["ACTIVE", "CLOSED", "EMPTIED", "RESTING"]);
    expect(second.reported).toEqual([
      ["EMPTIED", "snapshot", null, []],
      ["CLOSED", "snapshot", null, []],
    ]);
    const third = await cycle(["ACTIVE"], second.cursor);
    expect(third.named).toEqual(["ACTIVE", "RESTING"]);
    expect(third.reported).toEqual([]);
    gone.add("RESTING");
    expect((await cycle(["ACTIVE"], third.cursor)).reported).toEqual([["RESTING", "snapshot", null, []]]);
  });

  it("forgets a market that is no longer followed but still active", async () => {
    const { feed, requested } = await open((_path, query) => ({ body: { orderbooks: fullBooks(query) } }));
    const first = await runPull(kalshiBookRestStream, feed, { tickers: ["A", "B", "C"] });
    requested.length = 0;
    const cycle = { tickers: ["A"], alsoActive: ["B"], cursor: first.last?.cursor };
    const { last } = await runPull(kalshiBookRestStream, feed, cycle);
    expect(requested.map(namedIn)).toEqual([["A"], ["C"]]);
    expect(Object.keys(last?.cursor ?? {}).filter((name) => !name.startsWith("@"))).toEqual(["A", "C"]);
    const back = await runPull(kalshiBookRestStream, feed, { tickers: ["A", "B"], cursor: last?.cursor });
    expect(back.rows.map((row) => row["instrument"])).toEqual(["B"]);
  });

  it("polls all no longer active markets, a limited number per cycle", async () => {
    const left = Array.from({ length: 1500 }, (_, at) => `L-${String(at).padStart(4, "0")}`);
    const { feed, requested } = await open((_path, query) => ({ body: { orderbooks: fullBooks(query) } }));
    let cursor: Cursor | undefined = Object.fromEntries(left.map((ticker) => [ticker, "as stored"]));
    for (let cycles = 0; cycles < 2; cycles += 1) {
      cursor = (await runPull(kalshiBookRestStream, feed, { tickers: ["A"], cursor })).last?.cursor;
    }
    const named = requested.flatMap(namedIn).filter((ticker) => ticker !== "A");
    expect(named).toHaveLength(2000);
    expect(new Set(named)).toEqual(new Set(left));
  });

  it("stores followed and no longer followed books even if the venue refuses one of the latter", async () => {
    const { feed, requested } = await open((_path, query) =>
      query.getAll("tickers").includes("L-37")
        ? { status: 400, body: {} }
        : { body: { orderbooks: query.has("tickers", "A") ? fullBooks(query) : [] } },
    );
    const left = Array.from({ length: 90 }, (_, at) => `L-${at}`);
    const cursor = Object.fromEntries(left.map((ticker) => [ticker, "as stored"]));
    const { batches, last } = await runPull(kalshiBookRestStream, feed, { tickers: ["A"], cursor });
    const stored = batches.map(({ rows }) => rows.flatMap((part) => part.rows.map((row) => row["instrument"])));
    expect(stored[0]).toEqual(["A"]);
    expect(new Set(stored[1])).toEqual(new Set(left));
    expect(requested.length).toBeLessThan(20);
    expect(last?.isCaughtUp).toBe(true);
    expect(Object.keys(last?.cursor ?? {}).filter((name) => !name.startsWith("@"))).toEqual(["A"]);
  });

  it("requests the candles of a time in which the machine's clock was ahead", async () => {
    const start = Math.floor(CUTOFF / 60) * 60;
    let time = start;
    const { feed } = await open((_path, query) => {
      const [first, last] = [Number(query.get("start_ts")), Math.min(time, Number(query.get("end_ts")))];
      const candlesticks = [];
      for (let at = Math.ceil(first / 60) * 60; at <= last; at += 60) candlesticks.push(candle(at));
      return { body: { markets: [{ market_ticker: "A", candlesticks }] } };
    });
    let cursor: Cursor | undefined;
    const stored = new Set<unknown>();
    for (; time <= start + 50 * 60; time += 120) {
      const isAhead = time >= start + 240 && time < start + 44 * 60;
      const now = (): number => (time + (isAhead ? 3600 : 0)) * 1000;
      const { rows, last } = await runPull(kalshiCandlesStream, feed, { tickers: ["A"], cursor, now });
      cursor = last?.cursor;
      for (const row of rows) stored.add(row["end_time"]);
    }
    for (let at = start; at <= start + 50 * 60; at += 60) expect(stored).toContain(at);
  });

  it("requests candles within the limit of one answer, and every minute once", async () => {
    const tickers = Array.from({ length: 130 }, (_, at) => `T-${String(at).padStart(3, "0")}`);
    const { feed } = await open((_path, query) => {
      const names = query.get("market_tickers")?.split(",") ?? [];
      const [start, end] = [Number(query.get("start_ts")), Number(query.get("end_ts"))];
      const ends: number[] = [];
      for (let at = Math.ceil(start / 60) * 60; at <= end; at += 60) ends.push(at);
      if (names.length > 100 || names.length * ends.length > 10_000) return { status: 400, body: {} };
      const candlesticks = ends.map(candle);
      return { body: { markets: names.map((market_ticker) => ({ market_ticker, candlesticks })) } };
    });
    const reached_ts = Math.floor(CUTOFF / 60) * 60;
    const cycle = {
      tickers,
      cursor: { reached_ts, end_ts: null, after: null },
      now: () => (reached_ts + 7 * 3600 + 30) * 1000,
    };
    const { rows, batches } = await runPull(kalshiCandlesStream, feed, cycle);
    const minutes = 7 * 60 + 15 + 1;
    expect(rows).toHaveLength(130 * minutes);
    expect(new Set(rows.map((row) => `${String(row["ticker"])} ${String(row["end_time"])}`)).size).toBe(130 * minutes);
    expect(batches.at(-1)).toMatchObject({
      cursor: { reached_ts: reached_ts + 7 * 3600, after: null },
      isCaughtUp: true,
    });
    // A walk stopped after the first hundred markets continues with the rest.
    const half = batches.find(({ cursor }) => cursor["after"] === "T-099");
    const rest = await runPull(kalshiCandlesStream, feed, { ...cycle, cursor: half?.cursor });
    expect(new Set(rest.rows.map((row) => row["ticker"])).size).toBe(30);
  });
});
