import { defineDerivation } from "../definition/derivation.ts";
import { bookQuotes } from "../tables/book-quotes.ts";
import { polymarketCandles } from "../tables/polymarket-candles.ts";
import { priceChanges } from "../tables/price-changes.ts";
import { rebuildChanges } from "./price-changes/rebuild-changes.ts";
import { resolutionPart } from "./price-changes/resolution-part.ts";
import { SLICES } from "./price-changes/slice-bars-sql.ts";
import { touchedSql } from "./price-changes/touched-sql.ts";

const BUCKET_SECONDS = 3600;
const COARSE = resolutionPart("1h", "4h", "1d");

/** The same over hours and days, apart because it reads months back. */
export const coarsePriceChangesFromMinutes = defineDerivation({
  name: "price-changes-coarse",
  title: "Changes of prices and jumps from candles and quotes, 1h to 1d",
  from: polymarketCandles,
  also: [bookQuotes],
  into: priceChanges,
  moment: "minute",
  bucketSeconds: BUCKET_SECONDS,
  gatherSeconds: 20,
  slices: SLICES,
  marksGone: true,
  touched: (rebuild) => touchedSql(COARSE, BUCKET_SECONDS, rebuild),
  rebuild: (rebuild) => rebuildChanges(COARSE, rebuild),
});
