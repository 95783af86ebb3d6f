import type { InsertRow } from "../../../definition/table.ts";
import type { SeriesReply } from "./series-reply.ts";

/** A row of kalshi_series. */
export function toSeries(series: SeriesReply): InsertRow {
  return {
    series_ticker: series.ticker,
    title: series.title,
    category: series.category,
    frequency: series.frequency,
    tags: series.tags ?? [],
    fee_type: series.fee_type,
    // A JSON number upstream (0.5, 1, 2), far from where six decimals would be inexact.
    fee_multiplier: series.fee_multiplier?.toFixed(6) ?? null,
  };
}
