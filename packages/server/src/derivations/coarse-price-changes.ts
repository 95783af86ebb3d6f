import { defineDerivation } from "../definition/derivation.ts";
import { changesFromMinutes } from "./price-changes/changes-from-minutes.ts";
import { resolutionPart } from "./price-changes/resolution-part.ts";

/** The same over hours and days, apart because it reads months back. */
export const coarsePriceChangesFromMinutes = defineDerivation({
  ...changesFromMinutes(resolutionPart("1h", "4h", "1d"), 3600),
  name: "price-changes-coarse",
  title: "Changes of prices and jumps from candles and quotes, 1h to 1d",
  gatherSeconds: 30,
});
