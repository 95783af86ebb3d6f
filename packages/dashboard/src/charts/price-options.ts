import {
  ColorType,
  CrosshairMode,
  TickMarkType,
  type ChartOptions,
  type DeepPartial,
  type Time,
} from "lightweight-charts";
import { showTimestamp } from "../read/value-text.ts";
import type { ChartColors } from "./use-chart-colors.ts";

const TICKS: Readonly<Record<TickMarkType, Intl.DateTimeFormatOptions>> = {
  [TickMarkType.Year]: { year: "numeric" },
  [TickMarkType.Month]: { month: "short" },
  [TickMarkType.DayOfMonth]: { day: "numeric", month: "short" },
  [TickMarkType.Time]: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  [TickMarkType.TimeWithSeconds]: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
};

const COMPACT = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

/**
 * The chart's appearance, with times in the user's zone. The library's logo inserts a <style> into the page, which our
 * policy forbids: it is off, and the page names the library below the chart instead.
 */
export function priceOptions(colors: ChartColors): DeepPartial<ChartOptions> {
  return {
    autoSize: true,
    layout: {
      attributionLogo: false,
      background: { type: ColorType.Solid, color: "transparent" },
      textColor: colors.text,
      fontFamily: "system-ui, sans-serif",
      fontSize: 11,
      panes: { enableResize: false, separatorColor: colors.grid },
    },
    grid: { vertLines: { color: colors.grid }, horzLines: { color: colors.grid } },
    crosshair: { mode: CrosshairMode.Normal },
    rightPriceScale: { borderColor: colors.grid },
    timeScale: {
      borderColor: colors.grid,
      timeVisible: true,
      secondsVisible: false,
      minBarSpacing: 0.2,
      maxBarSpacing: 28,
      rightOffset: 1,
      tickMarkFormatter: (time: Time, type: TickMarkType) =>
        new Intl.DateTimeFormat(undefined, TICKS[type]).format(new Date(Number(time) * 1000)),
    },
    localization: {
      timeFormatter: (time: Time) => showTimestamp(Number(time) * 1000),
      priceFormatter: (price: number) => COMPACT.format(price),
    },
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  };
}
