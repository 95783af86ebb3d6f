import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEndpoint } from "./open-endpoint.ts";
import { CUTOFF, DAY, MINUTE, NOW, SmallWorld } from "./small-world.ts";

const small = new SmallWorld();
let endpoint: Awaited<ReturnType<typeof openEndpoint>>;

const seconds = (ms: number) => Math.floor(ms / 1000);
const trades = (body: Record<string, unknown>) => body["trades"] as Record<string, unknown>[];
const tickersOf = (body: Record<string, unknown>) =>
  (body["markets"] as { ticker: string }[]).map((item) => item.ticker);

beforeAll(async () => {
  const btc = small.addSeries("KXBTC");
  const war = small.addSeries("KXWAR", "World");
  const event = small.addEvent(btc, "KXBTC-A");
  const old = small.addEvent(war, "KXWAR-OLD");
  small.addMarket(old, "KXWAR-OLD-1", {
    status: "finalized",
    result: "scalar",
    settlement_value_e4: 5000,
    settled_ms: CUTOFF - 2 * DAY,
    close_ms: CUTOFF - 2 * DAY,
  });
  small.addMarket(old, "KXWAR-OLD-2", { status: "finalized", result: "no", settled_ms: CUTOFF - 30 * MINUTE });
  const active = small.addMarket(event, "KXBTC-A-1", {
    book: {
      yes: [
        { price_e4: 700, size_cc: 319_584 },
        { price_e4: 800, size_cc: 44_432 },
      ],
      no: [
        { price_e4: 8700, size_cc: 11_885 },
        { price_e4: 8800, size_cc: 196_733 },
      ],
    },
    quotes: [
      { ms: NOW - 10 * MINUTE - 1000, yes_bid_e4: 700, yes_ask_e4: 1200 },
      { ms: NOW - 5 * MINUTE - 1000, yes_bid_e4: null, yes_ask_e4: 1300 },
    ],
  });
  small.addMarket(event, "KXBTC-A-2", { status: "initialized", open_ms: NOW + DAY });
  small.addMarket(event, "KXBTC-A-3", { status: "determined", close_ms: NOW - DAY / 2 });
  small.trade(active, CUTOFF - DAY, 900, 100);
  small.trade(active, CUTOFF - 20 * MINUTE, 1000, 200);
  small.trade(active, NOW - 10 * MINUTE - 30_000, 1100, 894);
  small.trade(active, NOW - 10 * MINUTE - 20_000, 1300, 106);
  small.trade(active, NOW - 8 * MINUTE, 1200, 1000, true);
  endpoint = await openEndpoint(small.world());
});

afterAll(() => endpoint.close());

describe("GET /markets", () => {
  it("returns the live tier newest first, in the current schema", async () => {
    const { body, headers } = await endpoint.get("/markets");
    expect(tickersOf(body)).toEqual(["KXBTC-A-3", "KXBTC-A-2", "KXBTC-A-1", "KXWAR-OLD-2"]);
    expect(headers.get("cache-control")).toBe("public, max-age=15");
    const market = (body["markets"] as Record<string, unknown>[])[2];
    expect(market).toMatchObject({
      yes_bid_dollars: "0.0800",
      yes_bid_size_fp: "444.32",
      yes_ask_dollars: "0.1200",
      yes_ask_size_fp: "1967.33",
      no_bid_dollars: "0.8800",
      no_ask_dollars: "0.9200",
      settlement_timer_seconds: 1800,
      price_ranges: [{ start: "0.0000", end: "1.0000", step: "0.0100" }],
    });
    expect(market).not.toHaveProperty("yes_bid");
    expect(market).not.toHaveProperty("liquidity_dollars");
  });

  it("represents an empty book by the sentinel prices 0.0000 and 1.0000", async () => {
    const { body } = await endpoint.get("/markets?tickers=KXBTC-A-2");
    expect(body["markets"]).toMatchObject([
      { yes_bid_dollars: "0.0000", yes_ask_dollars: "1.0000", no_bid_dollars: "0.0000" },
    ]);
  });

  it.each([
    ["status=open&mve_filter=exclude", ["KXBTC-A-1"]],
    ["status=unopened", ["KXBTC-A-2"]],
    ["status=closed", ["KXBTC-A-3"]],
    ["status=settled", ["KXWAR-OLD-2"]],
    ["status=paused", []],
    ["tickers=KXBTC-A-1,KXBTC-A-2,NONE", ["KXBTC-A-2", "KXBTC-A-1"]],
    [`min_settled_ts=${seconds(CUTOFF - 31 * MINUTE)}`, ["KXWAR-OLD-2"]],
    [`max_close_ts=${seconds(NOW)}&status=closed`, ["KXBTC-A-3"]],
    [`min_updated_ts=${seconds(NOW - DAY)}&mve_filter=exclude`, []],
  ])("filters by %s", async (query, expected) => {
    const { status, body } = await endpoint.get(`/markets?${query}`);
    expect(status).toBe(200);
    expect(tickersOf(body)).toEqual(expected);
  });

  it.each([
    "status=active",
    "status=open,closed",
    "limit=1001",
    "limit=x",
    "min_created_ts=1&min_close_ts=1",
    "min_close_ts=1&status=open",
    "min_settled_ts=1&status=closed",
    "min_updated_ts=1&status=open",
    "min_updated_ts=1&tickers=A",
    "series_ticker=KXBTC",
    "cursor=bm9uc2Vuc2U",
  ])("rejects %s with 400", async (query) => {
    const { status, body } = await endpoint.get(`/markets?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { code: "invalid_parameters" } });
  });

  it("pages by a cursor that does not contain the filter", async () => {
    const first = await endpoint.get("/markets?limit=2&mve_filter=exclude");
    expect(tickersOf(first.body)).toEqual(["KXBTC-A-3", "KXBTC-A-2"]);
    const next = await endpoint.get(`/markets?limit=2&cursor=${first.body["cursor"]}`);
    expect(tickersOf(next.body)).toEqual(["KXBTC-A-1", "KXWAR-OLD-2"]);
    const last = await endpoint.get(`/markets?limit=2&cursor=${next.body["cursor"]}`);
    expect(last.body).toEqual({ cursor: "", markets: [] });
  });
});

describe("the live and historical tiers", () => {
  it("return an old market only from history, and one near the cutoff from both", async () => {
    const live = await endpoint.get("/markets?tickers=KXWAR-OLD-1,KXWAR-OLD-2");
    expect(tickersOf(live.body)).toEqual(["KXWAR-OLD-2"]);
    const old = await endpoint.get("/historical/markets?tickers=KXWAR-OLD-1,KXWAR-OLD-2,KXBTC-A-1");
    expect(tickersOf(old.body)).toEqual(["KXWAR-OLD-2", "KXWAR-OLD-1"]);
    expect((old.body["markets"] as unknown[])[1]).toMatchObject({
      result: "scalar",
      settlement_value_dollars: "0.5000",
      status: "finalized",
    });
  });

  it("list and page historical markets, newest settlement first", async () => {
    const all = await endpoint.get("/historical/markets");
    expect(tickersOf(all.body)).toEqual(["KXWAR-OLD-2", "KXWAR-OLD-1"]);
    const first = await endpoint.get("/historical/markets?limit=1");
    const second = await endpoint.get(`/historical/markets?limit=1&cursor=${first.body["cursor"]}`);
    expect(tickersOf(second.body)).toEqual(["KXWAR-OLD-1"]);
    expect((await endpoint.get("/historical/markets?series_ticker=A")).status).toBe(400);
  });

  it("report the cutoff as text", async () => {
    const { body } = await endpoint.get("/historical/cutoff");
    expect(body).toEqual({
      market_positions_last_updated_ts: "2026-09-25T12:00:00Z",
      market_settled_ts: "2026-09-25T12:00:00Z",
      orders_updated_ts: "2026-09-25T12:00:00Z",
      trades_created_ts: "2026-09-25T12:00:00Z",
    });
  });
});

describe("trades", () => {
  it("are returned newest first, in the current schema", async () => {
    const { body } = await endpoint.get("/markets/trades");
    expect(trades(body).map((trade) => trade["count_fp"])).toEqual(["10.00", "1.06", "8.94", "2.00"]);
    expect(trades(body)[1]).toEqual({
      trade_id: "0723a045-0000-4000-8000-000000000004",
      ticker: "KXBTC-A-1",
      count_fp: "1.06",
      yes_price_dollars: "0.1300",
      no_price_dollars: "0.8700",
      taker_outcome_side: "yes",
      taker_book_side: "bid",
      taker_side: "yes",
      is_block_trade: false,
      created_time: "2026-09-26T11:49:40.000004Z",
    });
  });

  it("overlap between the tiers near the cutoff", async () => {
    const { body } = await endpoint.get("/historical/trades");
    expect(trades(body).map((trade) => trade["count_fp"])).toEqual(["2.00", "1.00"]);
  });

  it("are filtered by time", async () => {
    const min = seconds(NOW - 10 * MINUTE - 30_000);
    const window = await endpoint.get(`/markets/trades?min_ts=${min}&max_ts=${min + 10}`);
    expect(trades(window.body).map((trade) => trade["count_fp"])).toEqual(["1.06", "8.94"]);
  });

  it("page without repeating a row when a trade arrives in between", async () => {
    const first = await endpoint.get("/markets/trades?limit=2");
    const market = small.world().kalshi.market("KXBTC-A-1");
    if (market) small.trade(market, NOW, 1200, 7700);
    const second = await endpoint.get(`/markets/trades?limit=2&cursor=${first.body["cursor"]}`);
    expect(trades(second.body).map((trade) => trade["count_fp"])).toEqual(["8.94", "2.00"]);
  });
});

describe("books", () => {
  it("contain only bids, ascending, best last", async () => {
    const { body } = await endpoint.get("/markets/orderbooks?tickers=KXBTC-A-1&tickers=KXBTC-A-2");
    expect(body["orderbooks"]).toEqual([
      {
        ticker: "KXBTC-A-1",
        orderbook_fp: {
          yes_dollars: [
            ["0.0700", "3195.84"],
            ["0.0800", "444.32"],
          ],
          no_dollars: [
            ["0.8700", "118.85"],
            ["0.8800", "1967.33"],
          ],
        },
      },
      { ticker: "KXBTC-A-2", orderbook_fp: { yes_dollars: [], no_dollars: [] } },
    ]);
  });

  it("of many markets are requested by repeated tickers; a comma-separated list returns one book", async () => {
    const repeated = await endpoint.get("/markets/orderbooks?tickers=KXBTC-A-1&tickers=KXBTC-A-2");
    expect(repeated.body["orderbooks"]).toHaveLength(2);
    const comma = await endpoint.get("/markets/orderbooks?tickers=KXBTC-A-1,KXBTC-A-2");
    expect((comma.body["orderbooks"] as { ticker: string }[]).map((book) => book.ticker)).toEqual(["KXBTC-A-1"]);
    expect((await endpoint.get("/markets/orderbooks")).status).toBe(400);
  });
});

describe("candlesticks", () => {
  const range = `start_ts=${seconds(NOW - 20 * MINUTE)}&end_ts=${seconds(NOW)}&period_interval=1`;
  const path = "/series/KXBTC/markets/KXBTC-A-1/candlesticks";

  it("are sparse and omit the OHLC prices of a period without trades", async () => {
    const { body } = await endpoint.get(`${path}?${range}`);
    const candles = body["candlesticks"] as Record<string, unknown>[];
    expect(candles.map((candle) => candle["end_period_ts"])).toEqual(
      [10, 8, 5, 0].map((minutes) => seconds(NOW - minutes * MINUTE)),
    );
    expect(candles[0]).toMatchObject({
      price: {
        open_dollars: "0.1100",
        high_dollars: "0.1300",
        low_dollars: "0.1100",
        close_dollars: "0.1300",
        mean_dollars: "0.1121",
        previous_dollars: "0.1000",
      },
      volume_fp: "10.00",
      yes_bid: { open_dollars: "0.0700", close_dollars: "0.0700" },
      yes_ask: { open_dollars: "0.1200", close_dollars: "0.1200" },
    });
    expect(candles[2]?.["price"]).toEqual({ previous_dollars: "0.1200" });
    expect(candles[2]).toMatchObject({
      yes_bid: { close_dollars: "0.0000", open_dollars: "0.0700" },
      volume_fp: "0.00",
    });
  });

  it("are limited to the three periods, the matching series and a live market", async () => {
    expect((await endpoint.get(`${path}?${range.replace("interval=1", "interval=5")}`)).status).toBe(400);
    expect((await endpoint.get(`${path}?start_ts=1&end_ts=2`)).status).toBe(400);
    expect((await endpoint.get(`/series/KXWAR/markets/KXBTC-A-1/candlesticks?${range}`)).status).toBe(404);
    expect((await endpoint.get(`/series/KXWAR/markets/KXWAR-OLD-1/candlesticks?${range}`)).status).toBe(404);
  });

  it("of many markets are requested by comma-separated tickers", async () => {
    const { body } = await endpoint.get(`/markets/candlesticks?market_tickers=KXBTC-A-1,KXBTC-A-2&${range}`);
    const markets = body["markets"] as { market_ticker: string; candlesticks: unknown[] }[];
    expect(markets.map((market) => [market.market_ticker, market.candlesticks.length])).toEqual([
      ["KXBTC-A-1", 4],
      ["KXBTC-A-2", 0],
    ]);
  });

  it("of historical markets use other keys", async () => {
    const { body } = await endpoint.get(`/historical/markets/KXWAR-OLD-2/candlesticks?${range}`);
    expect(body).toEqual({ candlesticks: [], ticker: "KXWAR-OLD-2" });
  });
});

describe("other routes", () => {
  it("list events", async () => {
    const { body } = await endpoint.get("/events");
    expect((body["events"] as { event_ticker: string }[]).map((event) => event.event_ticker)).toEqual([
      "KXBTC-A",
      "KXWAR-OLD",
    ]);
    expect((await endpoint.get("/events?limit=201")).status).toBe(400);
    expect(((await endpoint.get("/events?tickers=KXBTC-A,KXNONE")).body["events"] as unknown[]).length).toBe(1);
  });

  it("return not_found if unknown", async () => {
    expect((await endpoint.get("/nothing")).body).toEqual({ error: { code: "not_found", message: "not found" } });
  });

  it("return 429 over the budget, in both error formats and without Retry-After", async () => {
    let wall = 0;
    const limited = await openEndpoint(small.world(), {
      limits: { tokens_per_second: 20, burst_seconds: 1 },
      wall: () => wall,
    });
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push(await limited.get("/historical/cutoff"));
    wall = 500;
    answers.push(await limited.get("/historical/cutoff"));
    await limited.close();
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 429, 429, 200]);
    expect(answers[2]?.body).toEqual({ error: "too many requests" });
    expect(answers[3]?.body).toEqual({ error: { code: "too_many_requests", message: "too many requests" } });
    expect(answers[2]?.headers.get("retry-after")).toBeNull();
  });
});
