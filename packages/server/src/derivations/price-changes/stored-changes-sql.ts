import type { Touched } from "../../definition/derivation.ts";
import { fromDefinition, joined, sql, type Sql } from "../../definition/sql.ts";
import { priceChanges } from "../../tables/price-changes.ts";
import { bucketsWithin } from "./buckets-within.ts";
import { EXTENTS } from "./extents.ts";
import { momentSql } from "./moment-sql.ts";
import { PRICE_RESOLUTIONS } from "./price-resolutions.ts";
import type { ResolutionPart } from "./resolution-part.ts";

const { near, reach } = EXTENTS;

/** Stored rows of the touched tokens, no further away than the buckets that may differ. */
export function storedChangesSql({ resolutions }: ResolutionPart, touched: readonly Touched[]): Sql {
  const lowest = touched.reduce((least, { first }) => Math.min(least, first), Number.POSITIVE_INFINITY);
  const highest = touched.reduce((most, { last }) => Math.max(most, last), 0);
  const ranges = resolutions.map((name) => {
    const length = PRICE_RESOLUTIONS[name];
    const from = momentSql(lowest - (near + 1) * length);
    const to = momentSql(highest + (reach + near + 1) * length);
    return sql`(resolution = ${fromDefinition(`'${name}'`)} AND ${bucketsWithin(from, to)})`;
  });
  return sql`SELECT * FROM ${priceChanges} FINAL WHERE (${joined(ranges, sql` OR `)}) AND token_id IN (SELECT arrayJoin(touched_tokens)) AND NOT is_gone`;
}
