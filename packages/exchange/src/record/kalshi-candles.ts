import { join } from "node:path";
import { kalshiPath } from "./kalshi-path.ts";
import { lazy } from "./lazy.ts";
import { readLines } from "./read-lines.ts";
import type { Recording } from "./recording.ts";
import { Shelf } from "./shelf.ts";

const FILE = "kalshi/nba_1m_candles_all.csv.gz";
const BATCH_TICKERS = 100;
const BATCH_CANDLES = 10_000;

/** A row of the recording; prices in cents, null where nothing traded. */
interface RecordedCandle {
  end_ts: number;
  open: number | null;
  high: number | null;
  low: number | null;
  close: number | null;
  volume: number;
  /** Close of the last row that traded. */
  previous: number | null;
}

/**
 * One-minute candles of 550 basketball markets of 2025: 845,280 rows, of which 37,094 stand twice, so 808,186 candles.
 * Served in the live schema, in the batch, and in the historical one. Not recorded: quotes (sent as an empty book's
 * sentinels, bid 0.0000 and ask 1.0000), open interest (0.00) and the mean (absent).
 */
export function kalshiCandles(dir: string): Recording {
  const load = lazy(() => shelve(dir));
  return {
    name: "kalshi-candles",
    service: "kalshi",
    async answer({ method, path, query }) {
      const at = kalshiPath(path);
      if (method !== "GET" || !at?.endsWith("/candlesticks") || query.get("period_interval") !== "1") return undefined;
      const range = { from: Number(query.get("start_ts") ?? 0), to: Number(query.get("end_ts") ?? Infinity) };
      const shelf = await load();
      if (at === "/markets/candlesticks") return batch(shelf, query.get("market_tickers") ?? "", range);
      const ticker = /\/markets\/([^/]+)\/candlesticks$/.exec(at)?.[1] ?? "";
      if (!shelf.has(ticker)) return undefined;
      const candles = read(shelf, ticker, range);
      const candlesticks = at.startsWith("/historical/") ? candles.map(toHistorical) : candles.map(toLive);
      return { body: { candlesticks, ticker } };
    },
  };
}

/** Tickers of the recording, for a test that walks them. */
export async function readRecordedTickers(dir: string): Promise<string[]> {
  return (await shelve(dir)).keys();
}

interface Range {
  from: number;
  to: number;
}

/** Undefined unless a ticker of the batch is recorded; then the others are answered with nothing. */
function batch(shelf: Shelf, tickers: string, range: Range) {
  const asked = tickers.split(",").slice(0, BATCH_TICKERS);
  if (!asked.some((ticker) => shelf.has(ticker))) return undefined;
  let room = BATCH_CANDLES;
  const markets = asked.map((ticker) => {
    const candlesticks = read(shelf, ticker, range).slice(0, room).map(toLive);
    room -= candlesticks.length;
    return { candlesticks, market_ticker: ticker };
  });
  return { body: { markets } };
}

async function shelve(dir: string): Promise<Shelf> {
  const shelf = new Shelf();
  let header = true;
  for await (const line of readLines(join(dir, FILE))) {
    if (header) header = false;
    else {
      const [, ticker, ...rest] = line.split(",");
      if (ticker !== undefined && ticker !== "") shelf.add(ticker, rest.join(","));
    }
  }
  return shelf;
}

function read(shelf: Shelf, ticker: string, range: Range): RecordedCandle[] {
  // Some markets stand in the file twice, minute by minute the same.
  const rows = new Map<number, string[]>();
  for (const line of shelf.lines(ticker)) {
    const fields = line.split(",");
    rows.set(Number(fields[0]), fields);
  }
  let previous: number | null = null;
  const candles: RecordedCandle[] = [];
  for (const [end, fields] of [...rows].sort(([a], [b]) => a - b)) {
    const [open, high, low, close] = fields.slice(1, 5).map((text) => (text === "" ? null : Number(text)));
    const candle = { open: open ?? null, high: high ?? null, low: low ?? null, close: close ?? null, previous };
    if (end >= range.from && end <= range.to) candles.push({ ...candle, end_ts: end, volume: Number(fields[5]) });
    previous = close ?? previous;
  }
  return candles;
}

function toLive(candle: RecordedCandle) {
  return {
    end_period_ts: candle.end_ts,
    open_interest_fp: "0.00",
    price: {
      ...(candle.close !== null && {
        close_dollars: dollars(candle.close),
        high_dollars: dollars(candle.high),
        low_dollars: dollars(candle.low),
        open_dollars: dollars(candle.open),
      }),
      ...(candle.previous !== null && { previous_dollars: dollars(candle.previous) }),
    },
    volume_fp: `${candle.volume}.00`,
    yes_ask: suffixed("1.0000"),
    yes_bid: suffixed("0.0000"),
  };
}

function toHistorical(candle: RecordedCandle) {
  return {
    end_period_ts: candle.end_ts,
    open_interest: "0.00",
    price: {
      close: dollars(candle.close),
      high: dollars(candle.high),
      low: dollars(candle.low),
      mean: null,
      open: dollars(candle.open),
      previous: dollars(candle.previous),
    },
    volume: `${candle.volume}.00`,
    yes_ask: plain("1.0000"),
    yes_bid: plain("0.0000"),
  };
}

function suffixed(value: string) {
  return { close_dollars: value, high_dollars: value, low_dollars: value, open_dollars: value };
}

function plain(value: string) {
  return { close: value, high: value, low: value, open: value };
}

/** Cents → dollars as text; every price of the file is a whole cent. */
function dollars(cents: number | null): string | null {
  return cents === null ? null : `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}00`;
}
