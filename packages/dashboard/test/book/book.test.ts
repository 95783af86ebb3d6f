import { describe, expect, test } from "vitest";
import { depthOf, imbalanceOf, ladderOf, tickOf } from "../../src/pages/book/book-levels.ts";
import { showFigure } from "../../src/read/exact-figures.ts";
import { quoteStepOf } from "../../src/pages/book/quote-step.ts";
import { spanOf } from "../../src/pages/book/span-of.ts";

const ASKS = '[{"size":"2574","price":"0.4"},{"size":"0.1","price":"0.39"},{"size":"0.2","price":"0.38"}]';
const BIDS = '[{"size":"1300","price":"0.32"},{"size":"43.86","price":"0.34"}]';

describe("ladderOf", () => {
  test("starts at the best price and sums sizes exactly, where floats would not", () => {
    expect(ladderOf(ASKS)).toEqual([
      { price: "0.38", size: "0.2", cumulated: "0.2" },
      { price: "0.39", size: "0.1", cumulated: "0.3" },
      { price: "0.4", size: "2574", cumulated: "2574.3" },
    ]);
    expect(ladderOf("[]")).toEqual([]);
  });
  test("skips malformed levels", () => {
    expect(ladderOf('[{"size":1,"price":"0.1"},null,{"size":"5","price":"0.2"}]')).toEqual([
      { price: "0.2", size: "5", cumulated: "5" },
    ]);
    expect(ladderOf('{"size":"1"}')).toEqual([]);
  });
});

test("depthOf sorts prices ascending and cumulates each side toward its far end, with nulls on the other side", () => {
  const { prices, series } = depthOf(ladderOf(BIDS), ladderOf(ASKS));
  expect(prices).toEqual([0.32, 0.34, 0.38, 0.39, 0.4]);
  expect(series.map(({ texts }) => texts)).toEqual([
    ["1343.86", "43.86", null, null, null],
    [null, null, "0.2", "0.3", "2574.3"],
  ]);
});

test("imbalanceOf keeps the digits of an imbalance near zero", () => {
  const percents = ["-0.0004", "0.123456", "-1", null].map((imbalance) => imbalanceOf({ imbalance }));
  expect(percents.map(showFigure)).toEqual(["−0.04", "12.3456", "−100", "–"]);
});

test("tickOf finds the smallest price step exactly", () => {
  expect(tickOf(["0.32", "0.34", "0.38", "0.39"])).toBe("0.01");
  expect(tickOf(["0.39", "0.385", "0.3"])).toBe("0.005");
  expect(tickOf(["0.3"])).toBeNull();
  expect(tickOf([])).toBeNull();
});

describe("spanOf", () => {
  const held = { from: "2026-11-22T08:00:00Z", to: null };
  const now = "2026-11-22T10:00:00Z";
  test("returns the latest part of the stored range, never before the range begins", () => {
    expect(spanOf("1h", held, undefined, now)).toEqual({
      from: Date.parse("2026-11-22T09:00:00Z"),
      to: Date.parse(now),
    });
    expect(spanOf("all", held, undefined, now)).toEqual({
      from: Date.parse("2026-11-22T08:00:00Z"),
      to: Date.parse(now),
    });
    expect(spanOf("1d", held, undefined, now)).toEqual({
      from: Date.parse("2026-11-22T08:00:00Z"),
      to: Date.parse(now),
    });
  });
  test("centres on the timestamp of a link", () => {
    const span = spanOf("15m", held, Date.parse("2026-11-22T08:30:00Z"), now);
    expect(span).toEqual({ from: Date.parse("2026-11-22T08:22:30Z"), to: Date.parse("2026-11-22T08:37:30Z") });
  });
  test("returns undefined if nothing is stored", () => {
    expect(spanOf("1h", undefined, undefined, undefined)).toBeUndefined();
    expect(spanOf("1h", { from: null, to: null }, undefined, now)).toBeUndefined();
  });
});

describe("quoteStepOf", () => {
  const to = Date.parse("2026-11-22T12:00:00Z");
  const step = (hours: number, most: number): string => quoteStepOf(to - hours * 3_600_000, to, most).interval;

  test("is a minute while a page has room for every minute of the range, both ends included", () => {
    expect([step(1, 61), step(1, 60)]).toEqual(["1m", "1h"]);
    expect([step(6, 1000), step(6, 200)]).toEqual(["1m", "1h"]);
  });
  test("is a day for a history of more hours than a page has rows", () => {
    expect([step(999, 1000), step(1000, 1000), step(24 * 60, 1000)]).toEqual(["1h", "1d", "1d"]);
  });
});
