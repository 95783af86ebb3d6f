import type { ChartSeries } from "../../charts/chart-series.ts";
import { toPixelNumber } from "../../read/to-pixel-number.ts";
import type { LadderLevel } from "./ladder-of.ts";

/** Cumulative sizes over the price: bids fall toward the best bid, asks rise from the best ask. */
export function depthOf(
  bids: readonly LadderLevel[],
  asks: readonly LadderLevel[],
): { readonly prices: number[]; readonly series: ChartSeries[] } {
  const levels = [
    ...bids.toReversed().map((level) => ({ level, isBid: true })),
    ...asks.map((level) => ({ level, isBid: false })),
  ];
  const side = (isBid: boolean): Pick<ChartSeries, "values" | "texts"> => ({
    values: levels.map((one) => (one.isBid === isBid ? toPixelNumber(one.level.cumulated) : null)),
    texts: levels.map((one) => (one.isBid === isBid ? one.level.cumulated : null)),
  });
  return {
    prices: levels.map(({ level }) => toPixelNumber(level.price) ?? 0),
    series: [
      { label: "Bids", color: "up", kind: "steps-before", ...side(true) },
      { label: "Asks", color: "down", kind: "steps-after", ...side(false) },
    ],
  };
}
