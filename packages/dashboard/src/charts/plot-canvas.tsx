import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useEffect, useRef, type ReactElement } from "react";
import { plotOptions, type Plotted } from "./plot-options.ts";
import { useChartColors } from "./use-chart-colors.ts";
import { useWidth } from "./use-width.ts";

type Props = Plotted & {
  /** The point shown by the cursor. */
  readonly at?: number | null;
  readonly onAt?: (index: number | null) => void;
};

/** Lines, areas and bars by uPlot. Loaded lazily; the parts around it that are text are `ChartFigure`'s. */
export default function PlotCanvas({
  xs,
  series,
  xKind,
  height,
  isBare = false,
  isDays = false,
  at = null,
  onAt,
}: Props): ReactElement {
  const [box, width] = useWidth<HTMLDivElement>();
  const colors = useChartColors();
  const plot = useRef<uPlot | null>(null);
  const tell = useRef(onAt);
  tell.current = onAt;

  useEffect(() => {
    if (!box.current || width === 0) return;
    const options = plotOptions({ xs, series, xKind, height, isBare, isDays }, width, colors, uPlot.paths);
    const made = new uPlot(
      { ...options, hooks: { setCursor: [(self) => tell.current?.(self.cursor.idx ?? null)] } },
      [xs.slice(), ...series.map(({ values }) => values.slice())],
      box.current,
    );
    plot.current = made;
    return () => {
      plot.current = null;
      made.destroy();
    };
  }, [box, width, colors, xs, series, xKind, height, isBare, isDays]);

  useEffect(() => {
    const made = plot.current;
    const x = at === null ? undefined : xs[at];
    if (!made || x === undefined || made.cursor.idx === at) return;
    made.setCursor({ left: made.valToPos(x, "x"), top: made.bbox.height / 2 / uPlot.pxRatio }, false);
  }, [at, xs]);

  return <div ref={box} className="w-full overflow-hidden" style={{ height }} />;
}
