import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { describe, expect, it } from "vitest";
import { thoroughly } from "../../../../../scripts/vitest/test-levels.ts";
import {
  batchCandlesReply,
  type CandleReply,
  candleReply,
  candlesReply,
  toCandle,
} from "../../../src/connectors/kalshi/candles/candle-reply.ts";
import { toTrade, tradesReply } from "../../../src/connectors/kalshi/tape/walk-tape.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { kalshiCandles } from "../../../src/tables/kalshi-candles.ts";
import { kalshiTrades } from "../../../src/tables/kalshi-trades.ts";
import { insertable } from "./insertable.ts";
import { noRecordings, readGolden, readRecorded } from "./recorded.ts";

describe.skipIf(noRecordings)(`recorded trades and candles${noRecordings ? `: ${noRecordings}` : ""}`, () => {
  it("keeps every digit of a trade's timestamp, however many there are", () => {
    const rows = (tradesReply.parse(readGolden("trades_list")).trades ?? []).map(toTrade);
    expect(rows).toHaveLength(5);
    for (const row of rows) expect(Object.keys(row).sort()).toEqual(insertable(kalshiTrades));
    const raws = (readGolden("trades_list") as { trades: Record<string, unknown>[] }).trades;
    for (const [index, raw] of raws.entries()) {
      const { trade_id, ticker, taker_side } = raw;
      expect(rows[index]).toMatchObject({ trade_id, ticker, taker_side, count: String(raw["count"]) });
      expect(Number(rows[index]?.["yes_price"])).toBe(Number(raw["yes_price_dollars"]));
    }
    expect(rows[1]).toEqual({
      created_time: "2026-01-12T14:59:36.373150Z",
      trade_id: "58e2d628-f8b3-4506-36ee-f788a3a41695",
      ticker: "KXELONMARS-99",
      count: "1",
      yes_price: "0.06",
      no_price: "0.94",
      taker_side: "no",
      is_block_trade: false,
    });
  });

  it("maps a current trade with its fractional count", () => {
    const reply = tradesReply.parse(readRecorded("live_samples_2026/trades_newest_first_2026-09-26.json"));
    expect(reply.trades?.map(toTrade)).toEqual([
      {
        created_time: "2026-09-26T22:52:42.728645Z",
        trade_id: "0723a045-55c1-a478-de4a-642a5deee757",
        ticker: "KXBTC15M-26SEP261900-00",
        count: "8.94",
        yes_price: "0.77",
        no_price: "0.23",
        taker_side: "yes",
        is_block_trade: false,
      },
    ]);
  });

  it("maps the candles of January 2026, with the mean in dollars, not in rounded cents", () => {
    const batch = batchCandlesReply.parse(readGolden("candlesticks_batch")).markets?.[0];
    const single = candlesReply.parse(readGolden("series_candlesticks")).candlesticks ?? [];
    const event = readGolden("event_candlesticks") as { market_candlesticks: unknown[][] };
    const sets = [
      batch?.candlesticks ?? [],
      single,
      event.market_candlesticks.flat().map((one) => candleReply.parse(one)),
    ];
    for (const candles of sets) {
      expect(candles).toHaveLength(90);
      for (const candle of candles) {
        const row = toCandle("KXELONMARS-99", 1440, candle);
        expect(Object.keys(row).sort()).toEqual(insertable(kalshiCandles));
        expect(row["close"] === null).toBe(row["volume"] === "0");
        expect(figuresOf(row)).toEqual(recordedFigures(candle));
      }
    }
    expect(toCandle("KXELONMARS-99", 1440, single.at(-1)!)).toMatchObject({
      end_time: 1768194000,
      open: "0.07",
      close: "0.06",
      mean: "0.0625",
      volume: "4",
      open_interest: "13673",
      yes_bid_close: "0.06",
      yes_ask_close: "0.07",
    });
  });

  it("maps current candles, including an empty period and the historical tier", () => {
    const live =
      candlesReply.parse(readRecorded("live_samples_2026/candles_live_schema_2026-09-26.json")).candlesticks ?? [];
    const [traded, empty] = live.map((candle) => toCandle("T", 1, candle));
    expect(traded).toMatchObject({ open: "0.11", mean: "0.0846", volume: "128792.42", yes_bid_close: "0.069" });
    expect(empty).toMatchObject({ open: null, close: null, mean: null, volume: "0", open_interest: "965300.19" });
    expect(empty).toMatchObject({
      yes_bid_open: null,
      yes_bid_close: null,
      yes_ask_open: "0.001",
      yes_ask_close: null,
    });
    const old = candlesReply.parse(readRecorded("live_samples_2026/candles_historical_schema_2026-07-27.json"));
    expect(toCandle("T", 1, old.candlesticks![0]!)).toMatchObject({
      open: "0.45",
      low: "0.36",
      mean: "0.402",
      volume: "98232.62",
      open_interest: "229447.63",
      yes_bid_low: "0.36",
    });
  });

  const nth = thoroughly(1, 7);
  it(`maps one in ${nth} of 845,280 real one-minute candles`, async () => {
    const path = new URL("../../../../../../shared/recorded/kalshi/nba_1m_candles_all.csv.gz", import.meta.url);
    const lines = createInterface({ input: createReadStream(path).pipe(createGunzip()), crlfDelay: Infinity });
    const count = { rows: 0, traded: 0, volume: 0n, mapped: 0n, wrong: 0 };
    for await (const line of lines) {
      const [, ticker = "", end, open, high, low, close, volume = "0"] = line.split(",");
      if (ticker === "ticker") continue;
      count.rows += 1;
      if (count.rows % nth !== 0) continue;
      const row = toCandle(ticker, 1, candleReply.parse(fromCsv({ end, open, high, low, close, volume })));
      if (row["close"] !== null) count.traded += 1;
      count.volume += BigInt(volume);
      count.mapped += BigInt(String(row["volume"]));
      const expected = close === "" ? null : String(Number(close) / 100);
      if (row["close"] !== expected || row["end_time"] !== Number(end)) count.wrong += 1;
    }
    expect(count).toMatchObject({ rows: 845_280, wrong: 0 });
    expect(count.mapped).toBe(count.volume);
    expect(count.traded).toBeGreaterThan(100_000 / nth);
  });
});

const FIGURES = ["open", "high", "low", "close", "mean"] as const;
const dollars = (figure: unknown): number | null => (figure === null ? null : Number(figure));

const figuresOf = (row: InsertRow) => [
  ...FIGURES.map((name) => dollars(row[name])),
  Number(row["volume"]),
  Number(row["open_interest"]),
];

/** Values of a candle of January 2026, in dollars. */
const recordedFigures = ({ price, volume, open_interest }: CandleReply) => [
  ...FIGURES.map((name) => dollars(price[`${name}_dollars`] ?? null)),
  Number(volume),
  Number(open_interest),
];

const cents = (text: string | undefined) => (text === "" || text === undefined ? null : Number(text));

/** Turns a row of the file into the reply it was made from (cents, and null in a period without trades). */
function fromCsv(row: Record<string, string | undefined>): unknown {
  const quote = { open: 0, high: 0, low: 0, close: 0 };
  return {
    end_period_ts: Number(row["end"]),
    price: { open: cents(row["open"]), high: cents(row["high"]), low: cents(row["low"]), close: cents(row["close"]) },
    yes_bid: quote,
    yes_ask: quote,
    volume: Number(row["volume"]),
    open_interest: 0,
  };
}
