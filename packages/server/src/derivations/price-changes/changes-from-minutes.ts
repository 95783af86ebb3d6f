import type { SqlDerivation } from "../../definition/derivation.ts";
import { bookQuotes } from "../../tables/book-quotes.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { priceChanges } from "../../tables/price-changes.ts";
import { rebuildChanges } from "./rebuild-changes.ts";
import type { ResolutionPart } from "./resolution-part.ts";
import { SLICES } from "./slice-bars-sql.ts";
import { touchedSql } from "./touched-sql.ts";

/** How some resolutions of price changes are worked out from candles and quotes; touched are buckets of so many seconds. */
export const changesFromMinutes = (
  part: ResolutionPart,
  bucketSeconds: number,
): Omit<SqlDerivation, "name" | "title"> => ({
  from: polymarketCandles,
  also: [bookQuotes],
  into: priceChanges,
  moment: "minute",
  bucketSeconds,
  slices: SLICES,
  marksGone: true,
  touched: (rebuild) => touchedSql(part, bucketSeconds, rebuild),
  rebuild: (rebuild) => rebuildChanges(part, rebuild),
});
