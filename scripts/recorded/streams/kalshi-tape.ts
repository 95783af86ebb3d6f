import { kalshiBookRestStream } from "../../../packages/server/src/connectors/kalshi/book-rest.ts";
import { kalshiCandlesStream } from "../../../packages/server/src/connectors/kalshi/candles.ts";
import { kalshiTradesStream } from "../../../packages/server/src/connectors/kalshi/trades.ts";
import { bind, sql } from "../../../packages/server/src/definition/sql.ts";
import type { TableDefinition } from "../../../packages/server/src/definition/table.ts";
import { bookEvents } from "../../../packages/server/src/tables/book-events.ts";
import { kalshiCandles } from "../../../packages/server/src/tables/kalshi-candles.ts";
import { kalshiTrades } from "../../../packages/server/src/tables/kalshi-trades.ts";
import { answerAll } from "../answer-all.ts";
import { answeredSides, sideText } from "../book-text.ts";
import { countRows } from "../count-rows.ts";
import type { House } from "../open-house.ts";
import { golden, recordedJson, sample, type Json } from "../recorded-json.ts";
import { reshapeFeed } from "../reshape-feed.ts";
import { runTurns } from "../run-turns.ts";
import { countOf, type StreamCount } from "../stream-count.ts";
import { Tally } from "../tally.ts";

const MARS = "KXELONMARS-99";
const EMPTY = "KXMVENFLSINGLEGAME-S202513E70FA7695-688BECB3826";
const BITCOIN = "KXBTC15M-26SEP261900-00";
const LIVE = "KXBTC15M-26SEP261845-45";
const HISTORICAL = "KXBTC15M-26JUL271945-45";

/** Kalshi's trades, candles and books: production replies of January 2026 and samples of the schema of June to September. */
export async function kalshiTape(house: House): Promise<readonly StreamCount[]> {
  return [await trades(house), await candles(house), await books(house)];
}

async function trades(house: House): Promise<StreamCount> {
  for (const ticker of [MARS, BITCOIN]) {
    await runTurns(house, kalshiTradesStream, {
      turns: 1,
      label: ticker,
      narrow: (feed) => reshapeFeed(feed, { path: "/markets/trades", add: [["ticker", ticker]] }),
    });
  }
  const recorded = [
    ...((await recordedJson(house, golden("trades_list")))["trades"] as Json[]),
    ...((await recordedJson(house, sample("trades_newest_first_2026-09-26")))["trades"] as Json[]),
  ];
  const tally = new Tally();
  for (const trade of recorded) {
    const count = trade["count_fp"] ?? trade["count"];
    const side = trade["taker_outcome_side"] ?? trade["taker_side"];
    tally.add(tradeKey(trade, count, Number(trade["yes_price_dollars"]) * 100, side), true);
  }
  for await (const row of answerAll(house, 573, { ticker: `${MARS},${BITCOIN}` }, 1000)) {
    tally.answer(tradeKey(row, row["count"], Number(row["yes_price"]), row["taker_side"]));
  }
  const stored = await storedOf(house, kalshiTrades, [MARS, BITCOIN]);
  return countOf("Kalshi trades", tally, { in: recorded.length, stored });
}

function tradeKey(row: Json, count: unknown, cents: number, side: unknown): string {
  const { trade_id, ticker, created_time } = row;
  return JSON.stringify([trade_id, ticker, micros(created_time), Number(count), Math.round(cents * 10), side]);
}

/** To the microsecond, whatever number of digits is written. */
function micros(moment: unknown): string {
  const [seconds = "", fraction = ""] = String(moment).replace("Z", "").split(".");
  return `${seconds}.${fraction.padEnd(6, "0")}`;
}

async function candles(house: House): Promise<StreamCount> {
  const path = "/markets/candlesticks";
  await runTurns(house, kalshiCandlesStream, { turns: 1, label: MARS, known: () => [MARS] });
  for (const [ticker, single] of [
    [LIVE, `/series/KXBTC15M/markets/${LIVE}/candlesticks`],
    [HISTORICAL, `/historical/markets/${HISTORICAL}/candlesticks`],
  ] as const) {
    const toList = ([reply]: readonly unknown[]) => ({ markets: [{ ...(reply as Json), market_ticker: ticker }] });
    await runTurns(house, kalshiCandlesStream, {
      turns: 1,
      label: ticker,
      known: () => [ticker],
      narrow: (feed) => reshapeFeed(feed, { path, instead: { paths: [single], toList } }),
    });
  }
  const [batch = {}] = (await recordedJson(house, golden("candlesticks_batch")))["markets"] as Json[];
  const recorded: [string, Json][] = [
    ...(batch["candlesticks"] as Json[]).map((candle): [string, Json] => [MARS, candle]),
    ...(await sampled(house, "candles_live_schema_2026-09-26", LIVE)),
    ...(await sampled(house, "candles_historical_schema_2026-07-27", HISTORICAL)),
  ];
  const tally = new Tally();
  for (const [ticker, candle] of recorded) tally.add(candleKey(ticker, candle), true);
  for (const ticker of [MARS, LIVE, HISTORICAL]) {
    for await (const row of answerAll(house, 1101, { ticker }, 1000)) tally.answer(answeredCandle(row));
  }
  const stored = await storedOf(house, kalshiCandles, [MARS, LIVE, HISTORICAL]);
  return countOf("Kalshi candles, both schemas", tally, { in: recorded.length, stored });
}

async function sampled(house: House, name: string, ticker: string): Promise<[string, Json][]> {
  return ((await recordedJson(house, sample(name)))["candlesticks"] as Json[]).map((candle) => [ticker, candle]);
}

/** Prices in ten-thousandths of a dollar. Cents as whole numbers, dollars as text. */
function candleKey(ticker: string, candle: Json): string {
  const price = candle["price"] as Json;
  const ofPrice = (name: string) => {
    const value = price[`${name}_dollars`] ?? price[name] ?? null;
    return value === null ? null : Math.round(Number(value) * (typeof value === "string" ? 10_000 : 100));
  };
  const volume = Number(candle["volume_fp"] ?? candle["volume"]);
  const open = Number(candle["open_interest_fp"] ?? candle["open_interest"]);
  return JSON.stringify([
    ticker,
    candle["end_period_ts"],
    ...["open", "high", "low", "close", "mean"].map(ofPrice),
    volume,
    open,
  ]);
}

function answeredCandle(row: Json): string {
  const prices = [row["open"], row["high"], row["low"], row["close"], row["mean"]];
  const inDollars = prices.map((cents) => (cents === null ? null : Math.round(Number(cents) * 100)));
  const end = Date.parse(String(row["end_time"])) / 1000;
  return JSON.stringify([row["ticker"], end, ...inDollars, row["volume"], row["open_interest"]]);
}

async function books(house: House): Promise<StreamCount> {
  const tickers = [MARS, EMPTY];
  const toList = (replies: readonly unknown[]) => ({
    orderbooks: replies.map((reply, index) => ({ ...(reply as Json), ticker: tickers[index] })),
  });
  await runTurns(house, kalshiBookRestStream, {
    turns: 2,
    known: () => tickers,
    narrow: (feed) =>
      reshapeFeed(feed, {
        path: "/markets/orderbooks",
        instead: { paths: tickers.map((ticker) => `/markets/${ticker}/orderbook`), toList },
      }),
  });
  const mars = (await recordedJson(house, sample("market_and_orderbook_KXELONMARS-99_ccxt")))["orderbook_fp"] as Json;
  const side = (name: string) => (mars[name] as [string, string][]).map(([price, size]) => ({ price, size }));
  const asks = side("no_dollars").map(({ price, size }) => ({
    price: (10_000 - Math.round(Number(price) * 10_000)) / 10_000,
    size,
  }));
  const tally = new Tally();
  tally.add(`${MARS} ${sideText(side("yes_dollars"))} / ${sideText(asks)}`);
  tally.add(`${EMPTY}  / `);
  for (const ticker of tickers) {
    for await (const row of answerAll(house, 1102, { ticker }, 1000)) tally.answer(`${ticker} ${answeredSides(row)}`);
  }
  const stored = await countRows(house, bookEvents, sql`instrument IN (${bind("Array(String)", tickers)})`);
  return countOf("Kalshi books", tally, { in: tickers.length, stored });
}

function storedOf(house: House, table: TableDefinition, tickers: readonly string[]): Promise<number> {
  return countRows(house, table, sql`ticker IN (${bind("Array(String)", [...tickers])})`);
}
