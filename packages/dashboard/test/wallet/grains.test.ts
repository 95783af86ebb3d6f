import { expect, test } from "vitest";
import { walletEquityCurve } from "../../../server/src/datasets/wallet-equity-curve.ts";
import { describeSeries } from "../../src/charts/chart-series.ts";
import { drawdownSeries } from "../../src/pages/wallet/drawdown-series.ts";
import { GRAINS } from "../../src/pages/wallet/grains.ts";

test("the equity card offers exactly the candles that the dataset accepts", () => {
  expect(GRAINS.map(({ value }) => value)).toEqual(walletEquityCurve.params["interval"]?.choices);
});

test("the description of a drawdown calls its deepest point the lowest, and zero has no sign", () => {
  const series = drawdownSeries([{ drawdown: "0.00" }, { drawdown: "1250.50" }, { drawdown: "20.00" }]);
  expect(describeSeries(series, (index) => `day ${index}`)).toBe(
    "Drawdown, USD: 3 points, first 0.00 (day 0), last −20.00 (day 2), lowest −1,250.50 (day 1), highest 0.00 (day 0).",
  );
});
