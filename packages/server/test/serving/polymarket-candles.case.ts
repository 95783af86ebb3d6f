import { polymarketCandlesDataset } from "../../src/datasets/polymarket-candles.ts";
import { bookQuotes } from "../../src/tables/book-quotes.ts";
import { polymarketCandles } from "../../src/tables/polymarket-candles.ts";
import { polymarketTokens } from "../../src/tables/polymarket-tokens.ts";
import { servedCandles, servedQuotes } from "../../src/tables/served-candles.ts";
import type { Case } from "./oracle-of.ts";
import type { Draw } from "./random-fills.ts";
import { randomRange } from "./random-questions.ts";

const TOKENS = ["0", "7", String(2n ** 256n - 1n), "123456789012345678901234567890"] as const;
const SUNDAY = Date.UTC(2026, 2, 29) / 1000;
const DAYS = 20;
const AMOUNTS = ["0.000001", "0.1", "1", "12.345678", "999999999.999999", "9007199254.740993", "0.333333"];
const INTERVALS = ["1m", "5m", "15m", "1h", "4h", "1d", "1w"];

const fixed = (micros: number): string => (micros / 1e6).toFixed(6);

/** Minutes of a few tokens, traded or quoted or both, many of them sent again with other values. */
export function polymarketCandlesCase({ below }: Draw): Case {
  const pick = (values: readonly string[]): string => values[below(values.length)] as string;
  // Many within a few hours, others spread over weeks.
  const minute = (): number => SUNDAY + 60 * (below(3) === 0 ? below(DAYS * 1440) : below(500));
  const price = (): string => fixed(below(4) === 0 ? below(3) : below(1_000_001));
  const maybePrice = (): string | null => (below(4) === 0 ? null : price());
  const token = (): string => TOKENS[below(below(TOKENS.length) + 1)] as string;
  const candle = () => ({
    token_id: token(),
    minute: minute(),
    open: price(),
    high: price(),
    low: price(),
    close: price(),
    volume: pick(AMOUNTS),
    volume_usd: below(9) === 0 ? "0" : pick(AMOUNTS),
    price_sum: fixed(below(50_000_000)),
    trade_count: 1 + below(30),
  });
  const quote = () => ({
    instrument: below(9) === 0 ? "KXRAIN-26" : token(),
    minute: minute(),
    bid_open: maybePrice(),
    bid_high: maybePrice(),
    bid_low: maybePrice(),
    bid_close: maybePrice(),
    ask_open: maybePrice(),
    ask_high: maybePrice(),
    ask_low: maybePrice(),
    ask_close: maybePrice(),
  });
  const some = <Row>(row: () => Row): Row[] => Array.from({ length: 1 + below(500) }, row);
  return {
    dataset: polymarketCandlesDataset,
    tables: [
      { table: polymarketCandles, served: servedCandles },
      { table: bookQuotes, served: servedQuotes },
    ],
    rows: (round) => [
      {
        table: polymarketTokens,
        rows: [
          {
            token_id: TOKENS[round % 3],
            condition_id: `0x${"0".repeat(64)}`,
            outcome_index: 0,
            outcome: 'Jä"',
            slug: "x",
          },
        ],
      },
      { table: polymarketCandles, rows: uniqueMinutes(some(candle), "token_id") },
      { table: bookQuotes, rows: uniqueMinutes(some(quote), "instrument") },
    ],
    question: () => {
      const params: Record<string, string> = { token_id: below(9) === 0 ? "55" : token(), interval: pick(INTERVALS) };
      const chance = (name: string, odds: number, value: () => string): void => {
        if (below(odds) === 0) params[name] = value();
      };
      const span = below(2) === 0 ? DAYS * 86_400 : 30_000;
      const [from, to] = randomRange(below, span);
      const at = (seconds: number): string => new Date((SUNDAY + seconds) * 1000 + below(3) * 499).toISOString();
      chance("fill", 2, () => pick(["none", "previous", "quotes"]));
      // Some begin long before the first candle.
      chance("start_time", 2, () => at(below(4) === 0 ? from - 30 * 86_400 : from));
      chance("end_time", 2, () => at(to + 1));
      chance("tz", 4, () => "UTC");
      const pagination = { limit: [1, 3, 20, 500][below(4)], ...(below(4) === 0 ? { offset: below(20) } : {}) };
      return { params, pagination, format: pick(["raw", "typed", "ndjson"]) };
    },
  };
}

/** A batch contains a minute once. */
const uniqueMinutes = <Row extends { minute: number }>(rows: readonly Row[], key: keyof Row): Row[] => [
  ...new Map(rows.map((row) => [`${String(row[key])} ${row.minute}`, row])).values(),
];
