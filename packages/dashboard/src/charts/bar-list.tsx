import type { ReactElement, ReactNode } from "react";
import { SWATCH } from "./chart-figure.tsx";
import type { ChartColor } from "./chart-series.ts";

type Bar = {
  readonly id: string;
  readonly head: ReactNode;
  /** Determines the bar's length, relative to the largest. */
  readonly size: number;
  /** The displayed figure. */
  readonly text: ReactNode;
  readonly color?: ChartColor;
};

type Props = {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** Value of a full bar; by default the largest of them. */
  readonly largest?: number;
};

/** Named amounts as stacked rows of bars: a list that screen readers can read. */
export function BarList({ label, bars, largest }: Props): ReactElement {
  const whole = largest ?? Math.max(...bars.map(({ size }) => Math.abs(size)), Number.MIN_VALUE);
  return (
    <ol aria-label={label} className="space-y-1.5 text-sm">
      {bars.map(({ id, head, size, text, color = "1" }) => (
        <li key={id}>
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="min-w-0">{head}</span>
            <span className="text-right tabular-nums">{text}</span>
          </div>
          <div aria-hidden="true" className="mt-0.5 h-1.5 overflow-hidden rounded-full bg-sunken">
            <div
              className={`h-full rounded-full ${SWATCH[color]}`}
              style={{ width: `${(100 * Math.abs(size)) / whole}%` }}
            />
          </div>
        </li>
      ))}
    </ol>
  );
}
