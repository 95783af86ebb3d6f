import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import { useEffect, useEffectEvent, useMemo, useRef, type ReactElement } from "react";
import { type Candle, type ChartMark, emptyTimes, lastBy, placeMarks, type PlacedMark } from "./candles.ts";
import { priceOptions } from "./price-options.ts";
import { useChartColors, type ChartColors } from "./use-chart-colors.ts";

type Props = {
  readonly candles: readonly Candle[];
  readonly stepS: number;
  readonly marks: readonly ChartMark[];
  /** The highlighted mark. */
  readonly active: string | null;
  readonly height: number;
  readonly at: number | null;
  readonly onAt: (index: number | null) => void;
};

type Made = {
  readonly chart: IChartApi;
  readonly price: ISeriesApi<"Candlestick">;
  readonly marks: ISeriesMarkersPluginApi<Time>;
};

const SHAPES = {
  up: { position: "belowBar", shape: "arrowUp" },
  down: { position: "aboveBar", shape: "arrowDown" },
  post: { position: "aboveBar", shape: "circle" },
} as const;

const VOLUME = { priceFormat: { type: "volume" }, priceLineVisible: false, lastValueVisible: false } as const;

const asTime = (seconds: number): UTCTimestamp => seconds as UTCTimestamp;

function drawMark({ time, kind, marks }: PlacedMark, colors: ChartColors, active: string | null): SeriesMarker<Time> {
  const pointed = marks.find(({ id }) => id === active);
  const color = kind === "post" ? colors["3"] : colors[kind];
  const text = pointed?.text ?? (active === null && marks.length > 1 ? String(marks.length) : undefined);
  return {
    ...SHAPES[kind],
    time: asTime(time),
    color: active === null || pointed ? color : colors.muted,
    size: pointed ? 2 : 1,
    ...(text === undefined ? {} : { text }),
  };
}

function make(box: HTMLDivElement, candles: readonly Candle[], stepS: number, colors: ChartColors): Made {
  const chart = createChart(box, priceOptions(colors));
  const price = chart.addSeries(CandlestickSeries, {
    upColor: colors.up,
    wickUpColor: colors.up,
    downColor: colors.down,
    wickDownColor: colors.down,
    borderVisible: false,
    priceFormat: { type: "price", precision: 3, minMove: 0.001 },
  });
  const volume = chart.addSeries(HistogramSeries, VOLUME, 1);
  chart.panes()[0]?.setStretchFactor(4);
  chart.panes()[1]?.setStretchFactor(1);
  const empty = emptyTimes(
    candles.map(({ time }) => time),
    stepS,
  ).map((time) => ({ time: asTime(time) }));
  const drawn = candles.map(({ time, open, high, low, close }) => ({ time: asTime(time), open, high, low, close }));
  price.setData([...drawn, ...empty].sort((left, right) => left.time - right.time));
  volume.setData(
    candles.map(({ time, open, close, volume: value }) => ({
      time: asTime(time),
      value,
      color: `${close < open ? colors.down : colors.up}88`,
    })),
  );
  chart.timeScale().fitContent();
  return { chart, price, marks: createSeriesMarkers(price, []) };
}

/** Candles with volume below and marks on them, by lightweight-charts. Loaded lazily. */
export default function PriceCanvas({ candles, stepS, marks, active, height, at, onAt }: Props): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const made = useRef<Made | null>(null);
  const times = useMemo(() => candles.map(({ time }) => time), [candles]);
  const colors = useChartColors();
  const report = useEffectEvent(onAt);
  const drawMarks = useEffectEvent((now: Made) =>
    now.marks.setMarkers(placeMarks(marks, times).map((mark) => drawMark(mark, colors, active))),
  );
  const reported = useRef<number | null>(null);

  useEffect(() => {
    if (!box.current || candles.length === 0) return;
    const now = make(box.current, candles, stepS, colors);
    made.current = now;
    drawMarks(now);
    now.chart.subscribeCrosshairMove(({ time }) => {
      reported.current = time === undefined ? null : lastBy(times, Number(time));
      report(reported.current);
    });
    return () => {
      made.current = null;
      now.chart.remove();
    };
  }, [candles, stepS, colors, times]);

  useEffect(() => {
    made.current?.marks.setMarkers(placeMarks(marks, times).map((mark) => drawMark(mark, colors, active)));
  }, [marks, active, colors, times]);

  useEffect(() => {
    // The chart already shows a position set by the pointer; only keyboard moves must be applied.
    if (at === reported.current) return;
    const candle = at === null ? undefined : candles[at];
    if (candle && made.current)
      made.current.chart.setCrosshairPosition(candle.close, asTime(candle.time), made.current.price);
    else made.current?.chart.clearCrosshairPosition();
  }, [at, candles]);

  return <div ref={box} className="w-full overflow-hidden" style={{ height }} />;
}
