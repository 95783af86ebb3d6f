import { kalshiEventsStream } from "../../../packages/server/src/connectors/kalshi/events.ts";
import { kalshiMarketsStream } from "../../../packages/server/src/connectors/kalshi/markets.ts";
import { kalshiSeriesStream } from "../../../packages/server/src/connectors/kalshi/series.ts";
import { bind, sql, type Sql } from "../../../packages/server/src/definition/sql.ts";
import type { TableDefinition } from "../../../packages/server/src/definition/table.ts";
import { kalshiEvents } from "../../../packages/server/src/tables/kalshi-events.ts";
import { kalshiMarkets } from "../../../packages/server/src/tables/kalshi-markets.ts";
import { kalshiSeries } from "../../../packages/server/src/tables/kalshi-series.ts";
import { answerAll } from "../answer-all.ts";
import type { House } from "../open-house.ts";
import { golden, recordedJson, sample, type Json } from "../recorded-json.ts";
import { reshapeFeed } from "../reshape-feed.ts";
import { runTurns } from "../run-turns.ts";
import { countOf, type StreamCount } from "../stream-count.ts";
import { Tally } from "../tally.ts";

const NO_DATASET = "no dataset gives them: rows read from the store";
const SUBPENNY = "KXCOLONIZEMARS-50";
const PRICED = "KXELONMARS-99";

/** Kalshi's markets, events and series: production replies of January 2026 and samples of the schema of June to September. */
export async function kalshiCatalogue(house: House): Promise<readonly StreamCount[]> {
  return [await markets(house), await events(house), await series(house)];
}

async function markets(house: House): Promise<StreamCount> {
  await runTurns(house, kalshiMarketsStream, { turns: 1, label: "golden" });
  await runTurns(house, kalshiMarketsStream, {
    turns: 1,
    label: "subpenny",
    narrow: (feed) => reshapeFeed(feed, { path: "/markets", add: [["tickers", SUBPENNY]] }),
  });
  await runTurns(house, kalshiMarketsStream, {
    turns: 1,
    label: "priced",
    narrow: (feed) =>
      reshapeFeed(feed, { path: "/markets", instead: { paths: [`/markets/${PRICED}`], toList: toMarkets } }),
  });
  const recorded = [
    ...((await recordedJson(house, golden("markets_list")))["markets"] as Json[]),
    ...((await recordedJson(house, sample("markets_subpenny_KXCOLONIZEMARS-50_ccxt")))["markets"] as Json[]),
    (await recordedJson(house, sample("market_and_orderbook_KXELONMARS-99_ccxt")))["market"] as Json,
  ];
  const tally = new Tally();
  for (const market of recorded) tally.add(marketKey(market), true);
  const tickers = recorded.map((market) => String(market["ticker"]));
  for await (const row of answerAll(house, 565, { ticker: tickers.join(",") }, 1000)) tally.answer(answeredKey(row));
  const rows = await stored(house, kalshiMarkets, sql`ticker`, tickers);
  return countOf("Kalshi markets", tally, { in: recorded.length, stored: rows.length });
}

/** Ticker, status, volume, last price and bid in tenths of a cent. A price of 0 without a trade, or a bid of 0, is none. */
function marketKey(market: Json): string {
  const volume = Number(market["volume_fp"] ?? market["volume"]);
  const last = Number(market["last_price_dollars"]) * 1000;
  const bid = Number(market["yes_bid_dollars"]) * 1000;
  const { ticker, status } = market;
  return JSON.stringify([
    ticker,
    status,
    volume,
    volume === 0 ? null : Math.round(last),
    bid === 0 ? null : Math.round(bid),
  ]);
}

function answeredKey({ ticker, status, volume, last_price, yes_bid }: Json): string {
  return JSON.stringify([ticker, status, volume, tenths(last_price), tenths(yes_bid)]);
}

async function events(house: House): Promise<StreamCount> {
  await runTurns(house, kalshiEventsStream, { turns: 1, label: "golden" });
  await runTurns(house, kalshiEventsStream, {
    turns: 1,
    label: "nested",
    narrow: (feed) => reshapeFeed(feed, { path: "/events", add: [["with_nested_markets", "true"]] }),
  });
  const recorded = [
    ...((await recordedJson(house, golden("events_list")))["events"] as Json[]),
    ...((await recordedJson(house, sample("events_nested_markets_trimmed_2026-09")))["events"] as Json[]),
  ];
  return compareStored(house, "Kalshi events", kalshiEvents, sql`event_ticker`, recorded, "event_ticker", eventKey);
}

async function series(house: House): Promise<StreamCount> {
  await runTurns(house, kalshiSeriesStream, { turns: 1 });
  const recorded = (await recordedJson(house, golden("series_list")))["series"] as Json[];
  const named = recorded.map((one) => Object.assign(one, { series_ticker: one["ticker"] }));
  return compareStored(house, "Kalshi series", kalshiSeries, sql`series_ticker`, named, "series_ticker", seriesKey);
}

async function compareStored(
  house: House,
  stream: string,
  table: TableDefinition,
  column: Sql,
  recorded: readonly Json[],
  field: string,
  keyOf: (row: Json) => string,
): Promise<StreamCount> {
  const tally = new Tally();
  for (const row of recorded) tally.add(keyOf(row), true);
  const rows = await stored(
    house,
    table,
    column,
    recorded.map((row) => String(row[field])),
  );
  for (const row of rows) tally.answer(keyOf(row));
  return { ...countOf(stream, tally, { in: recorded.length, stored: rows.length, note: NO_DATASET }), answered: null };
}

function stored({ store }: House, table: TableDefinition, column: Sql, tickers: readonly string[]): Promise<Json[]> {
  return store.rows(sql`SELECT * FROM ${table} FINAL WHERE ${column} IN (${bind("Array(String)", [...tickers])})`);
}

function toMarkets(replies: readonly unknown[]): unknown {
  return { markets: replies.map((reply) => (reply as Json)["market"]), cursor: "" };
}

function tenths(cents: unknown): number | null {
  return cents === null ? null : Math.round(Number(cents) * 10);
}

function eventKey(row: Json): string {
  return JSON.stringify([row["event_ticker"], row["series_ticker"], row["title"], row["mutually_exclusive"]]);
}

function seriesKey(row: Json): string {
  const { series_ticker, title, category, frequency, fee_type, fee_multiplier } = row;
  return JSON.stringify([series_ticker, title, category, frequency, fee_type, Number(fee_multiplier)]);
}
