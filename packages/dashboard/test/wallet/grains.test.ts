import { expect, test } from "vitest";
import { walletEquityCurve } from "../../../server/src/datasets/wallet-equity-curve.ts";
import { GRAINS } from "../../src/pages/wallet/grains.ts";

test("the equity card offers exactly the candles that the dataset accepts", () => {
  expect(GRAINS.map(({ value }) => value)).toEqual(walletEquityCurve.params["interval"]?.choices);
});
