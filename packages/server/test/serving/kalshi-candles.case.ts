import { kalshiCandlesDataset } from "../../src/datasets/kalshi-candles.ts";
import { kalshiCandles } from "../../src/tables/kalshi-candles.ts";
import { servedKalshiCandles } from "../../src/tables/served-kalshi-candles.ts";
import type { Case } from "./oracle-of.ts";
import { NEW_YEAR, type Draw } from "./random-fills.ts";
import { randomRange } from "./random-questions.ts";

const TICKERS = ["KXRAIN-26", "KX:KÖLN-%1", "K"] as const;
const DAYS = 6;
const VOLUMES = ["0", "0.01", "1", "12.345678", "999999999.999999", "0.333333"];

const fixed = (micros: number): string => (micros / 1e6).toFixed(6);

/** Minutes of a few tickers, some with empty sides or without trades, many sent again with other values. */
export function kalshiCandlesCase({ below }: Draw): Case {
  const pick = (values: readonly string[]): string => values[below(values.length)] as string;
  const price = (): string | null => {
    if (below(3) === 0) return null;
    return below(4) === 0 ? pick(["0", "1", "0.000001"]) : fixed(below(1_000_001));
  };
  const candle = () => {
    const isTraded = below(3) > 0;
    const traded = (): string | null => (isTraded ? fixed(below(1_000_001)) : null);
    return {
      ticker: pick(TICKERS),
      period_minutes: below(20) === 0 ? 60 : 1,
      end_time: NEW_YEAR + 60 * (below(2) === 0 ? below(DAYS * 1440) : below(300)),
      open: traded(),
      high: traded(),
      low: traded(),
      close: traded(),
      mean: traded(),
      volume: pick(VOLUMES),
      open_interest: below(3) === 0 ? null : pick(VOLUMES),
      yes_bid_open: price(),
      yes_bid_high: price(),
      yes_bid_low: price(),
      yes_bid_close: price(),
      yes_ask_open: price(),
      yes_ask_high: price(),
      yes_ask_low: price(),
      yes_ask_close: price(),
    };
  };
  return {
    dataset: kalshiCandlesDataset,
    tables: [{ table: kalshiCandles, served: servedKalshiCandles }],
    rows: () => {
      const rows = Array.from({ length: 1 + below(500) }, candle);
      return [
        {
          table: kalshiCandles,
          rows: [...new Map(rows.map((row) => [`${row.ticker} ${row.end_time} ${row.period_minutes}`, row])).values()],
        },
      ];
    },
    question: () => {
      const params: Record<string, string> = {
        ticker: below(9) === 0 ? "KXNONE" : pick(TICKERS),
        interval: pick(["1m", "1h", "1d"]),
      };
      const chance = (name: string, odds: number, value: () => string): void => {
        if (below(odds) === 0) params[name] = value();
      };
      const span = below(2) === 0 ? DAYS * 86_400 : 18_000;
      const [from, to] = randomRange(below, span);
      const at = (seconds: number): string => {
        const whole = below(3) === 0 ? seconds - (seconds % 3600) : seconds;
        return new Date((NEW_YEAR + whole) * 1000 + below(3) * 499).toISOString();
      };
      chance("fill", 2, () => pick(["none", "previous", "quotes"]));
      // Some begin long before the first candle.
      chance("start_time", 2, () => at(below(4) === 0 ? from - 30 * 86_400 : from));
      chance("end_time", 2, () => at(to + 3601));
      const pagination = { limit: [1, 3, 20, 500][below(4)], ...(below(4) === 0 ? { offset: below(20) } : {}) };
      return { params, pagination, format: pick(["raw", "typed", "ndjson"]) };
    },
  };
}
