import { z } from "zod";
import { ownerTextIn, rowsOf, secondsIn, textIn } from "../../../definition/rows-of.ts";
import {
  cents,
  contracts,
  dollars,
  eachUnder,
  name,
  quantity,
  toContracts,
  toDollars,
  toQuote,
} from "../wire/values.ts";
import type { ReplayedPage } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";

/** Unsuffixed keys are dollars as text in the historical tier and cents in the schema before 2026-03. */
const older = z.union([dollars, cents]).nullish();
const now = dollars.nullish();

const sides = {
  open_dollars: now,
  high_dollars: now,
  low_dollars: now,
  close_dollars: now,
  open: older,
  high: older,
  low: older,
  close: older,
};

const quotes = z.looseObject(sides).superRefine(
  eachUnder([
    ["open_dollars", "open"],
    ["high_dollars", "high"],
    ["low_dollars", "low"],
    ["close_dollars", "close"],
  ]),
);

/**
 * A candlestick of any of the three schemas. In a period without trades the prices are absent (now) or null (before
 * 2026-03 and in the historical tier); one with trades and no closing price is refused.
 */
export const candleReply = z
  .looseObject({
    end_period_ts: z.int().min(1_000_000_000).max(4_294_967_295),
    price: z.looseObject({ ...sides, mean_dollars: now, mean: older }),
    yes_bid: quotes,
    yes_ask: quotes,
    volume_fp: quantity.optional(),
    volume: z.union([quantity, contracts]).optional(),
    open_interest_fp: quantity.optional(),
    open_interest: z.union([quantity, contracts]).optional(),
  })
  .superRefine(
    eachUnder([
      ["volume_fp", "volume"],
      ["open_interest_fp", "open_interest"],
    ]),
  )
  .refine(
    ({ price, volume_fp, volume }) =>
      Number(volume_fp ?? volume) === 0 || (price.close_dollars ?? price.close ?? null) !== null,
    { path: ["price"], message: "a period with trades has no closing price" },
  );

export type CandleReply = z.output<typeof candleReply>;

/** A single-market reply has the ticker only in its path, so a parked candle of it has no complete key. */
const candles = rowsOf(
  candleReply,
  {
    at: secondsIn("end_period_ts"),
    key: { ticker: ownerTextIn("market_ticker"), end_time: textIn("end_period_ts") },
    instrument: ownerTextIn("market_ticker"),
  },
  20_000,
).nullable();

/** GET /series/{series}/markets/{ticker}/candlesticks and /historical/markets/{ticker}/candlesticks. */
export const candlesReply = z.looseObject({ candlesticks: candles });

/** GET /markets/candlesticks. */
export const batchCandlesReply = z.looseObject({
  markets: rowsOf(
    z.looseObject({ market_ticker: name, candlesticks: candles }),
    { instrument: textIn("market_ticker") },
    1000,
  ).nullable(),
});

/** Candles of a parked page: of many markets, or of the one in its path. Market list pages have none. */
export function readCandles({ path, read }: ReplayedPage): InsertRow[] {
  if (path.startsWith("/markets/candlesticks")) {
    return (read(batchCandlesReply).markets ?? []).flatMap((market) =>
      (market.candlesticks ?? []).map((candle) => toCandle(market.market_ticker, 1, candle)),
    );
  }
  const [, ticker] = /\/markets\/([^/?]+)\/candlesticks/.exec(path) ?? [];
  if (ticker === undefined) return [];
  const { candlesticks } = read(candlesReply);
  return (candlesticks ?? []).map((candle) => toCandle(decodeURIComponent(ticker), 1, candle));
}

/** A row of kalshi_candles. */
export function toCandle(ticker: string, periodMinutes: number, candle: CandleReply): InsertRow {
  const { price, yes_bid: bid, yes_ask: ask } = candle;
  return {
    ticker,
    period_minutes: periodMinutes,
    end_time: candle.end_period_ts,
    open: toDollars(price.open_dollars ?? price.open),
    high: toDollars(price.high_dollars ?? price.high),
    low: toDollars(price.low_dollars ?? price.low),
    close: toDollars(price.close_dollars ?? price.close),
    mean: toDollars(price.mean_dollars ?? price.mean),
    volume: toContracts(candle.volume_fp ?? candle.volume),
    open_interest: toContracts(candle.open_interest_fp ?? candle.open_interest),
    yes_bid_open: toQuote(bid.open_dollars ?? bid.open),
    yes_bid_high: toQuote(bid.high_dollars ?? bid.high),
    yes_bid_low: toQuote(bid.low_dollars ?? bid.low),
    yes_bid_close: toQuote(bid.close_dollars ?? bid.close),
    yes_ask_open: toQuote(ask.open_dollars ?? ask.open),
    yes_ask_high: toQuote(ask.high_dollars ?? ask.high),
    yes_ask_low: toQuote(ask.low_dollars ?? ask.low),
    yes_ask_close: toQuote(ask.close_dollars ?? ask.close),
  };
}
