import type { ComponentProps, ReactElement } from "react";
import { PriceChart } from "../../charts/price-chart.tsx";

type Props = ComponentProps<typeof PriceChart> & { readonly isCut: boolean };

/** The candles, or a note that there are none in the range, or that they are incomplete. */
export function PriceView({ title, candles, stepS, isCut, marks, active }: Props): ReactElement {
  if (candles.length === 0)
    return (
      <p className="py-10 text-center text-sm text-ink-faint">
        There are no trades in this range; choose a longer one.
      </p>
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
          The newest {candles.length} candles; choose longer ones to see all of the range.
        </p>
      ) : null}
    </>
  );
}
