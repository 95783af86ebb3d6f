import { defineDerivation } from "../definition/derivation.ts";
import { changesFromMinutes } from "./price-changes/changes-from-minutes.ts";

/** Candles and quotes → price changes from bucket to bucket, and which moves are jumps; up to 15 minutes. */
export const priceChangesFromMinutes = defineDerivation({
  ...changesFromMinutes(["1m", "5m", "15m"], 300),
  gatherSeconds: 20,
  name: "price-changes",
  title: "Price changes and jumps from candles and quotes, 1m to 15m",
});

/** The same for hours and days, separate because it reads months back. */
export const coarsePriceChangesFromMinutes = defineDerivation({
  ...changesFromMinutes(["1h", "4h", "1d"], 3600),
  name: "price-changes-coarse",
  title: "Price changes and jumps from candles and quotes, 1h to 1d",
  gatherSeconds: 30,
});
