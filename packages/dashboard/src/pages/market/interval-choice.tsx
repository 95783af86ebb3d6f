import type { ReactElement } from "react";
import { ChoiceRow } from "../../ui/choice-row.tsx";

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
