import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRecordedTickers } from "../../src/record/kalshi-candles.ts";
import { ABSENT, REASON, RECORDED } from "./recorded-folder.ts";
import { recordingApp, WORLD } from "./recording-app.ts";

type Row = Record<string, unknown>;
const ROOT = "/trade-api/v2";

describe.skipIf(ABSENT)(`Kalshi recordings${REASON}`, () => {
  let app: Awaited<ReturnType<typeof recordingApp>>;
  beforeAll(async () => {
    app = await recordingApp("kalshi");
  });
  afterAll(() => app.close());

  it.each([
    ["markets_list_response", "/markets?status=open&limit=5"],
    ["events_list_response", "/events?limit=5"],
    ["trades_list_response", "/markets/trades?ticker=KXELONMARS-99&limit=5"],
    ["series_list_response", "/series?category=Climate%20and%20Weather"],
    ["series_single_response", "/series/CO2"],
    ["event_single_response", "/events/KXELONMARS-99"],
    ["orderbook_response", "/markets/KXMVENFLSINGLEGAME-S202513E70FA7695-688BECB3826/orderbook"],
    ["series_candlesticks_response", "/series/KXELONMARS/markets/KXELONMARS-99/candlesticks?period_interval=1440"],
    ["event_candlesticks_response", "/series/KXELONMARS/events/KXELONMARS-99/candlesticks?period_interval=1440"],
    ["candlesticks_batch_response", "/markets/candlesticks?market_tickers=KXELONMARS-99&period_interval=1440"],
  ])("give %s word for word", async (name, path) => {
    const file = await readFile(join(RECORDED, "kalshi/golden_fixtures", `${name}.json`), "utf8");
    expect((await app.ask(ROOT + path)).body).toEqual((JSON.parse(file) as { response: unknown }).response);
  });

  it("end a list after its one recorded page", async () => {
    const first = await app.ask<Row>(`${ROOT}/markets`);
    expect(first.body["markets"]).toHaveLength(5);
    const next = await app.ask<Row>(`${ROOT}/markets?cursor=${String(first.body["cursor"])}`);
    expect(next.body).toEqual({ cursor: "", markets: [] });
  });

  it("give the current schema where it was recorded", async () => {
    const market = await app.ask<{ market: Row }>(`${ROOT}/markets/KXELONMARS-99`);
    expect(market.body.market).toMatchObject({ yes_bid_dollars: "0.0800", no_ask_dollars: "0.9200" });
    const book = await app.ask<{ orderbook_fp: { yes_dollars: string[][] } }>(
      `${ROOT}/markets/KXELONMARS-99/orderbook`,
    );
    expect(book.body.orderbook_fp.yes_dollars.at(-1)).toEqual(["0.0800", "444.32"]);
    expect((await app.ask(`${ROOT}/historical/cutoff`)).body).toMatchObject({
      market_settled_ts: "2026-07-28T00:00:00Z",
    });
    const candles = await app.ask<{ candlesticks: Row[] }>(
      `${ROOT}/series/KXBTC15M/markets/KXBTC15M-26SEP261845-45/candlesticks?period_interval=1`,
    );
    expect(candles.body.candlesticks[1]?.["price"]).toEqual({ previous_dollars: "0.0010" });
  });

  it("leave what is not recorded to the world", async () => {
    for (const path of ["/markets/OTHER", "/markets?tickers=OTHER", "/markets/trades", "/events/OTHER"]) {
      expect(await app.ask(ROOT + path)).toEqual(WORLD);
    }
  });

  it("give 808,186 candles of 550 markets: every row of the file once", async () => {
    const tickers = await readRecordedTickers(RECORDED);
    expect(tickers).toHaveLength(550);
    let candles = 0;
    for (const ticker of tickers) {
      const series = ticker.split("-")[0];
      const { body } = await app.ask<{ candlesticks: { end_period_ts: number }[] }>(
        `${ROOT}/series/${series}/markets/${ticker}/candlesticks?start_ts=0&end_ts=4000000000&period_interval=1`,
      );
      const ends = body.candlesticks.map((candle) => candle.end_period_ts);
      if (ends.some((end, index) => index > 0 && end <= (ends[index - 1] ?? 0)))
        throw new Error(`${ticker} out of order`);
      candles += ends.length;
    }
    expect(candles).toBe(808_186);
  }, 120_000);

  it("turn cents into dollars and leave out what was not traded, in each schema", async () => {
    const ticker = "KXNBAGAME-25DEC25CLENYK-NYK";
    const range = "start_ts=1766534520&end_ts=1766534640&period_interval=1";
    const live = await app.ask<{ candlesticks: Row[] }>(
      `${ROOT}/series/KXNBAGAME/markets/${ticker}/candlesticks?${range}`,
    );
    expect(live.body.candlesticks).toMatchObject([
      { end_period_ts: 1766534520, price: {}, volume_fp: "0.00" },
      { end_period_ts: 1766534580, price: { open_dollars: "0.6600", close_dollars: "0.6600" }, volume_fp: "1.00" },
      { end_period_ts: 1766534640, price: { previous_dollars: "0.6600" }, volume_fp: "3.00" },
    ]);
    expect(live.body.candlesticks[0]?.["price"]).toEqual({});
    const old = await app.ask<{ candlesticks: Row[] }>(`${ROOT}/historical/markets/${ticker}/candlesticks?${range}`);
    expect(old.body.candlesticks[1]).toMatchObject({
      price: { open: "0.6600", mean: null, previous: null },
      volume: "1.00",
    });
    const batch = await app.ask<{ markets: { candlesticks: Row[] }[] }>(
      `${ROOT}/markets/candlesticks?market_tickers=${ticker},OTHER&${range}`,
    );
    expect(batch.body.markets.map((market) => market.candlesticks.length)).toEqual([3, 0]);
  });
});
