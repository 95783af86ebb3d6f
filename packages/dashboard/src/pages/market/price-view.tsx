import type { ReactElement } from "react";
import type { Candle, ChartMark } from "../../charts/candle.ts";
import { PriceChart } from "../../charts/price-chart.tsx";

type Props = {
  readonly title: string;
  readonly candles: readonly Candle[];
  readonly stepS: number;
  readonly isCut: boolean;
  readonly marks?: readonly ChartMark[];
  readonly active?: string | null;
};

/** Candles, or that there are none in the range, or that they are not all of it. */
export function PriceView({ title, candles, stepS, isCut, marks, active }: Props): ReactElement {
  if (candles.length === 0)
    return (
      <p className="py-10 text-center text-sm text-ink-faint">Nothing was traded in this range; take a longer one.</p>
    );
  return (
    <>
      <PriceChart
        title={title}
        candles={candles}
        stepS={stepS}
        {...(marks === undefined ? {} : { marks })}
        active={active ?? null}
      />
      {isCut ? (
        <p className="mt-1 text-xs text-ink-faint">
          The newest {candles.length} candles; take longer ones to see all of the range.
        </p>
      ) : null}
    </>
  );
}
