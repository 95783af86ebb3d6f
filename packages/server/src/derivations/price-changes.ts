import { defineDerivation, type Rebuild } from "../definition/derivation.ts";
import { bind, fromDefinition, sql, type Sql } from "../definition/sql.ts";
import { bookQuotes } from "../tables/book-quotes.ts";
import { polymarketCandles } from "../tables/polymarket-candles.ts";
import { priceChanges } from "../tables/price-changes.ts";
import { FIRST_CHANGED, LAST_CHANGED } from "./price-changes/bars-sql.ts";
import { CHANGES } from "./price-changes/changes-sql.ts";
import { PRICE_RESOLUTIONS } from "./price-changes/price-resolutions.ts";
import { TOUCHED, TOUCHED_SECONDS, withTouched } from "./price-changes/touched-sql.ts";

const OWN_COLUMNS = new Set(["is_gone", "version"]);
const made = Object.keys(priceChanges.columns).filter((column) => !OWN_COLUMNS.has(column));
const MADE = fromDefinition(made.join(", "));
const VALUES = fromDefinition(made.filter((column) => !priceChanges.key.includes(column)).join(", "));
const SECONDS = fromDefinition(
  `transform(toString(resolution), [${Object.keys(PRICE_RESOLUTIONS)
    .map((name) => `'${name}'`)
    .join(", ")}], [${Object.values(PRICE_RESOLUTIONS).join(", ")}], 60)`,
);

/** Candles and quotes → how far prices went from bucket to bucket, and which moves are jumps. */
export const priceChangesFromMinutes = defineDerivation({
  name: "price-changes",
  title: "Changes of prices and jumps from candles and quotes",
  from: polymarketCandles,
  also: [bookQuotes],
  into: priceChanges,
  moment: "minute",
  bucketSeconds: TOUCHED_SECONDS,
  rebuild: (rebuild) => sql`INSERT INTO ${priceChanges} (${MADE}, is_gone, version, content)
${withTouched(rebuild)}
SELECT ${MADE}, is_gone, ${bind("UInt64", rebuild.version)}, content FROM (${rowsOf(rebuild)})`,
});

const NOW = sql`SELECT *, false AS is_gone, cityHash64(toString(tuple(${VALUES}))) AS content FROM (${CHANGES})`;
const KNOWN = sql`SELECT * FROM (
  SELECT o.*, ${SECONDS} AS s, intDiv(toUnixTimestamp(o.bucket), s) AS b, t.lo AS lo, t.hi AS hi FROM ${priceChanges} AS o FINAL INNER JOIN ${TOUCHED} AS t ON t.token_id = o.token_id
  WHERE o.token_id IN (SELECT token_id FROM ${TOUCHED}) AND NOT o.is_gone
) WHERE b BETWEEN ${FIRST_CHANGED} AND ${LAST_CHANGED}`;

/** Rows that are not stored like this already; where rows may have been taken away, also those that are gone. */
function rowsOf({ changedSince, starts }: Rebuild): Sql {
  if (changedSince !== undefined) {
    return sql`SELECT * FROM (${NOW}) WHERE (resolution, bucket, token_id, content) NOT IN (SELECT toString(resolution), bucket, token_id, content FROM (${KNOWN}))`;
  }
  if (starts === undefined) return NOW;
  const gone = sql`SELECT ${MADE}, true AS is_gone, toUInt64(0) AS content FROM (${KNOWN}) WHERE (toString(resolution), bucket, token_id) NOT IN (SELECT resolution, bucket, token_id FROM (${CHANGES}))`;
  return sql`${NOW} UNION ALL ${gone}`;
}
