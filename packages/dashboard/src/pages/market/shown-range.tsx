import { INTERVAL_S, RANGES, type RangeName } from "../../read/ranges.ts";
import { useRequested } from "../../read/use-requested.ts";
import type { ReactElement } from "react";
import { ChoiceRow } from "../../ui/choice-row.tsx";

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

const CHOICES = Object.entries(RANGES).map(([value, { label }]) => ({ value, label }));

/** Chooses how far back the page looks. */
export function RangeChoice(props: {
  readonly range: string;
  readonly onRange: (range: string) => void;
}): ReactElement {
  return <ChoiceRow label="Range" value={props.range} choices={CHOICES} onChange={props.onRange} />;
}

type Props = {
  readonly intervals: readonly string[];
  readonly interval: string;
  readonly onInterval: (interval: string) => void;
};

/** Chooses the candle interval. */
export function IntervalChoice({ intervals, interval, onInterval }: Props): ReactElement {
  return (
    <ChoiceRow
      label="Length of a candle"
      value={interval}
      choices={intervals.map((value) => ({ value, label: value }))}
      onChange={onInterval}
    />
  );
}
