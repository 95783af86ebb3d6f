import { describe, expect, test } from "vitest";
import { describeSeries, stackSeries } from "../../src/charts/chart-series.ts";
import { emptyTimes, lastBy, placeMarks } from "../../src/charts/candles.ts";
import type { ChartColors } from "../../src/charts/use-chart-colors.ts";
import { lonePoints, plotOptions } from "../../src/charts/plot-options.ts";
import { nextIndex } from "../../src/charts/next-index.ts";

const COLORS = new Proxy({}, { get: () => "#000000" }) as ChartColors;

describe("describeSeries", () => {
  test("gives the first, last, lowest and highest value in their exact texts", () => {
    const series = { label: "Price", values: [0.5, null, 0.2, 0.9], texts: ["0.500000", null, "0.200000", "0.900000"] };
    expect(describeSeries(series, (index) => `t${index}`)).toBe(
      "Price: 3 points, first 0.500000 (t0), last 0.900000 (t3), lowest 0.200000 (t2), highest 0.900000 (t3).",
    );
  });
  test("says so if there are no values", () => {
    expect(describeSeries({ label: "Price", values: [null] }, String)).toBe("Price: no values.");
  });
});

test("stackSeries adds each series to those before it, and counts holes as zero", () => {
  expect(
    stackSeries([
      [1, 2, null],
      [10, null, 30],
    ]),
  ).toEqual([
    [1, 2, 0],
    [11, 2, 30],
  ]);
});

describe("marks", () => {
  const times = [100, 200, 300];
  test("are placed at the candle they fall into; marks before the first candle are dropped", () => {
    const marks = [
      { id: "c", time: 999, kind: "post" as const, text: "" },
      { id: "early", time: 50, kind: "up" as const, text: "" },
      { id: "a", time: 100, kind: "up" as const, text: "" },
      { id: "b", time: 299, kind: "down" as const, text: "" },
      { id: "d", time: 310, kind: "post" as const, text: "" },
    ];
    expect(placeMarks(marks, times).map((one) => [one.time, one.kind, one.marks.map(({ id }) => id)])).toEqual([
      [100, "up", ["a"]],
      [200, "down", ["b"]],
      [300, "post", ["c", "d"]],
    ]);
    expect(placeMarks(marks, [])).toEqual([]);
  });
  test("lastBy finds the same index as a scan", () => {
    for (let at = 0; at < 400; at += 7) {
      const scanned = Math.max(
        0,
        times.findLastIndex((time) => time <= at),
      );
      expect(lastBy(times, at)).toBe(scanned);
    }
  });
});

test("emptyTimes fills in buckets without trades, or none if there would be too many", () => {
  expect(emptyTimes([0, 60, 240], 60)).toEqual([120, 180]);
  expect(emptyTimes([0, 60], 60)).toEqual([]);
  expect(emptyTimes([0, 6000], 60, 50)).toEqual([]);
});

test("lonePoints finds values without neighbours that a line could connect", () => {
  expect(lonePoints([1, null, 2, 3, null, 4])).toEqual([0, 5]);
  expect(lonePoints([7])).toEqual([0]);
  expect(lonePoints([null, 0, null])).toEqual([1]);
  expect(lonePoints([1, 2, 3])).toEqual([]);
});

const press = (key: string, altKey = false) => ({ key, altKey });

test("nextIndex stays within the points and ignores other keys", () => {
  expect(nextIndex(press("ArrowRight"), null, 5)).toBe(0);
  expect(nextIndex(press("ArrowRight"), 4, 5)).toBe(4);
  expect(nextIndex(press("ArrowLeft"), null, 5)).toBe(4);
  expect(nextIndex(press("ArrowLeft"), 0, 5)).toBe(0);
  expect(nextIndex(press("PageDown"), 1, 100)).toBe(11);
  expect(nextIndex(press("End"), 0, 5)).toBe(4);
  expect(nextIndex(press("Escape"), 3, 5)).toBeNull();
  expect(nextIndex(press("Tab"), 3, 5)).toBeUndefined();
  expect(nextIndex(press("ArrowLeft", true), 3, 5), "the browser's Back").toBeUndefined();
  expect(nextIndex(press("ArrowLeft"), null, 0)).toBeUndefined();
});

test("a chart of UTC days has its ticks at their starts, whatever zone the browser is in", () => {
  const DAY_S = 86_400;
  const first = Date.UTC(2026, 3, 3) / 1000;
  const xs = [0, 1, 2, 3].map((day) => first + day * DAY_S);
  const series = [{ label: "Requests", values: [1, 2, 3, 4], kind: "bars" as const }];
  const { axes } = plotOptions({ xs, series, xKind: "time", height: 100, isDays: true }, 800, COLORS, {});
  const ticks = axes?.[0]?.splits as ((...args: unknown[]) => number[]) | undefined;
  expect(ticks?.({}, 0, first - DAY_S / 2, first + 3.5 * DAY_S, DAY_S)).toEqual(xs);
  expect(ticks?.({}, 0, first, first + 3 * DAY_S, 2 * DAY_S)).toEqual([xs[0], xs[2]]);
  expect(ticks?.({}, 0, first + 1, first + 2, DAY_S)).toEqual([]);
});
