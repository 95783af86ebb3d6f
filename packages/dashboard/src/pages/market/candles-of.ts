import type { Candle } from "../../charts/candles.ts";
import { toPixelNumber } from "../../read/exact-figures.ts";

type Priced = Readonly<Record<"open" | "high" | "low" | "close" | "volume", string | number | null>>;

/** Candles of rows (newest first) that have trades, in the oldest-first order that a chart needs. */
export function candlesOf<Row extends Priced>(rows: readonly Row[], beginOf: (row: Row) => number): Candle[] {
  return rows.toReversed().flatMap((row) => {
    const [open, high, low, close] = [row.open, row.high, row.low, row.close].map(toPixelNumber);
    if (open == null || high == null || low == null || close == null) return [];
    const texts = {
      open: String(row.open),
      high: String(row.high),
      low: String(row.low),
      close: String(row.close),
      volume: String(row.volume),
    };
    return [{ time: beginOf(row), open, high, low, close, volume: toPixelNumber(row.volume) ?? 0, texts }];
  });
}
