import { defineDerivation } from "../definition/derivation.ts";
import { changesFromMinutes } from "./price-changes/changes-from-minutes.ts";
import { resolutionPart } from "./price-changes/resolution-part.ts";

/** Candles and quotes → how far prices went from bucket to bucket, and which moves are jumps; up to quarters of an hour. */
export const priceChangesFromMinutes = defineDerivation({
  ...changesFromMinutes(resolutionPart("1m", "5m", "15m"), 300),
  gatherSeconds: 20,
  name: "price-changes",
  title: "Changes of prices and jumps from candles and quotes, 1m to 15m",
});
