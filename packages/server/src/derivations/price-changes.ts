import { defineDerivation } from "../definition/derivation.ts";
import { bookQuotes } from "../tables/book-quotes.ts";
import { polymarketCandles } from "../tables/polymarket-candles.ts";
import { priceChanges } from "../tables/price-changes.ts";
import { rebuildChanges } from "./price-changes/rebuild-changes.ts";
import { resolutionPart } from "./price-changes/resolution-part.ts";
import { SLICES } from "./price-changes/slice-bars-sql.ts";
import { touchedSql } from "./price-changes/touched-sql.ts";

const BUCKET_SECONDS = 300;
const FINE = resolutionPart("1m", "5m", "15m");

/** Candles and quotes → how far prices went from bucket to bucket, and which moves are jumps; up to quarters of an hour. */
export const priceChangesFromMinutes = defineDerivation({
  name: "price-changes",
  title: "Changes of prices and jumps from candles and quotes, 1m to 15m",
  from: polymarketCandles,
  also: [bookQuotes],
  into: priceChanges,
  moment: "minute",
  bucketSeconds: BUCKET_SECONDS,
  slices: SLICES,
  marksGone: true,
  touched: (rebuild) => touchedSql(FINE, BUCKET_SECONDS, rebuild),
  rebuild: (rebuild) => rebuildChanges(FINE, rebuild),
});
