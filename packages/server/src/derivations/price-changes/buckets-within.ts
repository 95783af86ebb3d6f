import { sql, type Bound, type Sql } from "../../definition/sql.ts";

/**
 * Buckets from one moment to another, both inclusive. Their days are named too: rows are in order by day, and the engine
 * does not see by itself that a bucket tells one. (A Date would wrap around for moments of other centuries.)
 */
export const bucketsWithin = (from: Sql | Bound, to: Sql | Bound): Sql =>
  sql`toDate(bucket) >= toDate32(${from}, 'UTC') AND toDate(bucket) <= toDate32(${to}, 'UTC') AND bucket >= ${from} AND bucket <= ${to}`;
