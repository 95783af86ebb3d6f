import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useEffect, useEffectEvent, useRef, type ReactElement, useState, type RefObject } from "react";
import { plotOptions, type Plotted } from "./plot-options.ts";
import { useChartColors } from "./use-chart-colors.ts";

/** The width of an element in whole CSS pixels, 0 until it is laid out; updated as it changes. */
function useWidth<Shown extends HTMLElement>(): [RefObject<Shown | null>, number] {
  const ref = useRef<Shown>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

type Props = Plotted & {
  /** The point shown by the cursor. */
  readonly at?: number | null;
  readonly onAt?: (index: number | null) => void;
  /** An x value to draw a line at. */
  readonly playhead?: number | undefined;
};

function drawPlayhead(plot: uPlot, x: number, color: string): void {
  const left = plot.valToPos(x, "x", true);
  const { ctx, bbox } = plot;
  if (left < bbox.left || left > bbox.left + bbox.width) return;
  ctx.save();
  ctx.fillStyle = color;
  ctx.fillRect(Math.round(left), bbox.top, uPlot.pxRatio * 2, bbox.height);
  ctx.restore();
}

/** Lines, areas and bars by uPlot. Loaded lazily; the text around it is in `ChartFigure`. */
export default function PlotCanvas(props: Props): ReactElement {
  const { xs, series, xKind, height, isBare = false, isDays = false, at = null, onAt, playhead } = props;
  const [box, width] = useWidth<HTMLDivElement>();
  const colors = useChartColors();
  const plot = useRef<uPlot | null>(null);
  const report = useEffectEvent((index: number | null) => onAt?.(index));
  const head = useRef(playhead);
  const drawOver = useEffectEvent((made: uPlot) => {
    if (head.current !== undefined) drawPlayhead(made, head.current, colors.text);
  });

  useEffect(() => {
    if (!box.current || width === 0) return;
    const options = plotOptions({ xs, series, xKind, height, isBare, isDays }, width, colors, uPlot.paths);
    const made = new uPlot(
      {
        ...options,
        hooks: { setCursor: [(self) => report(self.cursor.idx ?? null)], draw: [(self) => drawOver(self)] },
      },
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

  useEffect(() => {
    head.current = playhead;
    plot.current?.redraw(false);
  }, [playhead]);

  return <div ref={box} className="w-full overflow-hidden" style={{ height }} />;
}
