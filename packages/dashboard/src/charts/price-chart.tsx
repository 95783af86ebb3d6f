import { lazy, Suspense, useMemo, type ReactElement } from "react";
import { showTimestamp } from "../read/value-text.ts";
import type { Candle, ChartMark } from "./candles.ts";
import { ChartFigure } from "./chart-figure.tsx";
import type { ChartSeries } from "./chart-series.ts";

const PriceCanvas = lazy(() => import("./price-canvas.tsx"));

type Props = {
  readonly title: string;
  readonly candles: readonly Candle[];
  /** Length of a candle in seconds. */
  readonly stepS: number;
  readonly marks?: readonly ChartMark[];
  readonly active?: string | null;
};

const HEIGHT = 380;

const NO_MARKS: readonly ChartMark[] = [];
const FIELDS = ["open", "high", "low", "close", "volume"] as const;
const LABELS = { open: "Open", high: "High", low: "Low", close: "Close", volume: "Volume" } as const;

/** Candles of a price with their volume, and marks on them. */
export function PriceChart({ title, candles, stepS, marks = NO_MARKS, active = null }: Props): ReactElement {
  const series = useMemo<ChartSeries[]>(
    () =>
      FIELDS.map((field) => ({
        label: LABELS[field],
        values: candles.map((candle) => candle[field]),
        texts: candles.map(({ texts }) => texts[field]),
      })),
    [candles],
  );
  const xOf = (index: number): string => showTimestamp((candles[index]?.time ?? 0) * 1000);
  return (
    <>
      <ChartFigure
        title={title}
        xLabel="Start"
        count={candles.length}
        xOf={xOf}
        series={series}
        hasLegend={false}
        described={series.slice(3)}
      >
        {(at, onAt) => (
          <Suspense fallback={<div style={{ height: HEIGHT }} />}>
            <PriceCanvas
              candles={candles}
              stepS={stepS}
              marks={marks}
              active={active}
              height={HEIGHT}
              at={at}
              onAt={onAt}
            />
          </Suspense>
        )}
      </ChartFigure>
      <p className="mt-1 text-xs text-ink-faint">
        Drawn by Lightweight Charts™ (Apache-2.0), © TradingView, Inc.,{" "}
        <a href="https://www.tradingview.com/" target="_blank" rel="noopener noreferrer" className="underline">
          tradingview.com
        </a>
      </p>
    </>
  );
}
