import { defineDerivation } from "../definition/derivation.ts";
import { bind, sql, type Sql } from "../definition/sql.ts";
import { bookEvents } from "../tables/book-events.ts";
import { bookQuotes } from "../tables/book-quotes.ts";

// Wrapped in a tuple because these functions skip nulls: an empty side then has no price instead of an earlier one.
const first = (price: Sql): Sql => sql`(argMin(tuple(${price}), (ts, seq))).1`;
const last = (price: Sql): Sql => sql`(argMax(tuple(${price}), (ts, seq))).1`;

/** Book events → one-minute quotes: best bid and ask at open, high, low and close of each minute. */
export const bookQuotesFromEvents = defineDerivation({
  name: "book-quotes",
  title: "One-minute quotes from book events",
  from: bookEvents,
  into: bookQuotes,
  timestamp: "ts",
  bucketSeconds: 60,
  gatherSeconds: 5,
  rebuild: ({ from, to, starts, version }) => {
    const inRange = sql`ts >= parseDateTime64BestEffort(${bind("String", from)}, 3, 'UTC') AND ts < parseDateTime64BestEffort(${bind("String", to)}, 3, 'UTC')`;
    const chosen =
      starts === undefined
        ? sql`1`
        : sql`toStartOfMinute(ts) IN (SELECT toDateTime(arrayJoin(${bind("Array(UInt32)", starts)}), 'UTC'))`;
    return sql`INSERT INTO ${bookQuotes} (instrument, minute, bid_open, bid_high, bid_low, bid_close, ask_open, ask_high, ask_low, ask_close, version)
SELECT instrument, minute, bid_open, bid_high, bid_low, bid_close, ask_open, ask_high, ask_low, ask_close, ${bind("UInt64", version)}
FROM (
  SELECT instrument, toStartOfMinute(toDateTime(ts, 'UTC')) AS minute,
    ${first(sql`best_bid`)} AS bid_open, max(best_bid) AS bid_high, min(best_bid) AS bid_low, ${last(sql`best_bid`)} AS bid_close,
    ${first(sql`best_ask`)} AS ask_open, max(best_ask) AS ask_high, min(best_ask) AS ask_low, ${last(sql`best_ask`)} AS ask_close
  FROM ${bookEvents} WHERE ${inRange} AND ${chosen}
  GROUP BY instrument, minute
)`;
  },
});
