import type { Touched } from "../../definition/derivation.ts";
import { bind, sql, type Sql } from "../../definition/sql.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { EXTENTS } from "./extents.ts";
import { minutesSql, type MinutesSql } from "./minutes-sql.ts";
import { momentSql } from "./moment-sql.ts";
import type { ResolutionPart } from "./resolution-part.ts";

const { reach, near } = EXTENTS;

/** The head of a statement about touched tokens, of which the ids are then `TOUCHED`: bound once, however often they are named. */
export const withTouched = (touched: readonly Touched[]): Sql =>
  sql`WITH ${bind(
    "Array(UInt256)",
    touched.map(({ key }) => BigInt(key)),
  )} AS touched_tokens`;
export const TOUCHED: Sql = sql`(SELECT arrayJoin(touched_tokens))`;

/** The first and the last of the touched minutes. */
export function spanOf(touched: readonly Touched[]): { readonly lowest: number; readonly highest: number } {
  return {
    lowest: touched.reduce((least, { first }) => Math.min(least, first), Number.POSITIVE_INFINITY),
    highest: touched.reduce((most, { last }) => Math.max(most, last), 0),
  };
}

/** The minutes that rows around touched ones hang on, and the last trade before all of them. */
export function minutesOfTouched({ longest }: ResolutionPart, touched: readonly Touched[]): MinutesSql {
  const own = sql`token_id IN ${TOUCHED}`;
  const { lowest, highest } = spanOf(touched);
  const extent = (reach + 2 * near + 1) * longest;
  const since = momentSql(lowest - extent);
  const within = sql`minute >= ${since} AND minute <= ${momentSql(highest + extent)}`;
  // Of tokens that had no trade between it and the first bucket that is made again.
  const lately = sql`SELECT token_id FROM ${polymarketCandles} WHERE ${own} AND minute >= ${since} AND minute < ${momentSql(lowest - (near + 1) * longest)}`;
  const earlier = sql`UNION ALL SELECT token_id, max(minute), argMax(close, (minute, version)), toDecimal64(0, 6), 0 FROM ${polymarketCandles}
WHERE ${own} AND minute < ${since} AND token_id NOT IN (${lately}) GROUP BY token_id`;
  const ofInstrument = sql`instrument IN (SELECT toString(arrayJoin(touched_tokens))) AND ${within}`;
  const { traded, quoted } = minutesSql(sql`${own} AND ${within}`, ofInstrument, earlier);
  const head = withTouched(touched);
  return { traded: sql`${head} ${traded}`, quoted: sql`${head} ${quoted}` };
}
