import { describe, expect, test } from "vitest";
import { describeSeries } from "../../src/charts/describe-series.ts";
import { emptyTimes } from "../../src/charts/fill-candles.ts";
import { lonePoints } from "../../src/charts/lone-points.ts";
import { nextIndex } from "../../src/charts/next-index.ts";
import { lastBy, placeMarks } from "../../src/charts/place-marks.ts";
import { stackSeries } from "../../src/charts/stack-series.ts";

describe("describeSeries", () => {
  test("tells first, last, least and greatest by their exact texts", () => {
    const series = { label: "Price", values: [0.5, null, 0.2, 0.9], texts: ["0.500000", null, "0.200000", "0.900000"] };
    expect(describeSeries(series, (index) => `t${index}`)).toBe(
      "Price: 3 points, first 0.500000 (t0), last 0.900000 (t3), lowest 0.200000 (t2), highest 0.900000 (t3).",
    );
  });
  test("says so where there is nothing", () => {
    expect(describeSeries({ label: "Price", values: [null] }, String)).toBe("Price: no values.");
  });
});

test("stackSeries puts each on top of those before it, holes as nothing", () => {
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
  test("stand at the candle that had begun by then; those before the first are left out", () => {
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
  test("lastBy finds what a scan finds", () => {
    for (let at = 0; at < 400; at += 7) {
      const scanned = Math.max(
        0,
        times.findLastIndex((time) => time <= at),
      );
      expect(lastBy(times, at)).toBe(scanned);
    }
  });
});

test("emptyTimes fills the buckets without a trade, and none where they are too many", () => {
  expect(emptyTimes([0, 60, 240], 60)).toEqual([120, 180]);
  expect(emptyTimes([0, 60], 60)).toEqual([]);
  expect(emptyTimes([0, 6000], 60, 50)).toEqual([]);
});

test("lonePoints finds values that no line reaches", () => {
  expect(lonePoints([1, null, 2, 3, null, 4])).toEqual([0, 5]);
  expect(lonePoints([7])).toEqual([0]);
  expect(lonePoints([null, 0, null])).toEqual([1]);
  expect(lonePoints([1, 2, 3])).toEqual([]);
});

test("nextIndex walks within the points and leaves other keys alone", () => {
  expect(nextIndex("ArrowRight", null, 5)).toBe(0);
  expect(nextIndex("ArrowRight", 4, 5)).toBe(4);
  expect(nextIndex("ArrowLeft", null, 5)).toBe(4);
  expect(nextIndex("ArrowLeft", 0, 5)).toBe(0);
  expect(nextIndex("PageDown", 1, 100)).toBe(11);
  expect(nextIndex("End", 0, 5)).toBe(4);
  expect(nextIndex("Escape", 3, 5)).toBeNull();
  expect(nextIndex("Tab", 3, 5)).toBeUndefined();
  expect(nextIndex("ArrowLeft", null, 0)).toBeUndefined();
});
