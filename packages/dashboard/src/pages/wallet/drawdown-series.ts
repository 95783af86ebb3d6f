import type { ChartSeries } from "../../charts/chart-series.ts";
import { toPixelNumber } from "../../read/exact-figures.ts";

/** Drawdowns as drawn, below zero: their texts have the sign too, so that "lowest" names the largest. */
export function drawdownSeries(rows: readonly { readonly drawdown: string }[]): ChartSeries {
  const values = rows.map(({ drawdown }) => 0 - (toPixelNumber(drawdown) ?? 0));
  return {
    label: "Drawdown, USD",
    kind: "area",
    color: "down",
    values,
    texts: rows.map(({ drawdown }, index) => (values[index] === 0 ? drawdown : `-${drawdown}`)),
  };
}
