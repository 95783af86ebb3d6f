import { INTERVAL_S, RANGES, type RangeName } from "../../read/ranges.ts";
import { useRequested } from "../../read/use-requested.ts";

type ShownRange = {
  readonly range: RangeName;
  readonly chooseRange: (range: string) => void;
  readonly seconds: number;
  readonly interval: string;
  readonly chooseInterval: (interval: string) => void;
  /** Length of a candle in seconds. */
  readonly stepS: number;
};

/** The shown range and candle interval; the interval suits the range unless another is chosen. */
export function useShownRange(intervals: readonly string[]): ShownRange {
  const [range, chooseRange] = useRequested("range", "1w", Object.keys(RANGES));
  const { seconds, interval: suited } = RANGES[range as RangeName];
  const fallback = intervals.includes(suited) ? suited : suited === "4h" ? "1h" : "1m";
  const [interval, chooseInterval] = useRequested("interval", fallback, intervals);
  return {
    range: range as RangeName,
    chooseRange,
    seconds,
    interval,
    chooseInterval,
    stepS: INTERVAL_S[interval] ?? 60,
  };
}
