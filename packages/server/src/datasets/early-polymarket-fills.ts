import type { EarlyRows, EarlyView } from "../definition/early-view.ts";
import type { Question } from "../definition/dataset.ts";
import { bind, sql, type Sql } from "../definition/sql.ts";
import { polymarketEarlyFills } from "../tables/polymarket-early-fills.ts";
import { polymarketFills } from "../tables/polymarket-fills.ts";

type EarlyPart = NonNullable<Question["early"]>;

/** RTDS tells a second or two less than the block's time, and a reorganisation moves a transaction to another block. */
const APART = sql`INTERVAL 120 SECOND`;
/** A transaction, in a form that is quick to look up among tens of thousands. */
const TRANSACTION = sql`cityHash64(tx_hash)`;

/** Transactions stored by a moment, of fills from a moment on. */
const storedSince = (first: Sql, stored: Sql): Sql =>
  sql`SELECT ${TRANSACTION} FROM ${polymarketFills} WHERE ts >= ${first} - ${APART} AND ingested_at <= ${stored}`;

/** Polymarket's fills of the last minutes of which the store has nothing yet. */
export const earlyPolymarketFills = {
  table: polymarketEarlyFills,
  shownSeconds: 300,
  view: (shownAfter) => {
    const isShown = sql`ingested_at > fromUnixTimestamp64Micro(${shownAfter})`;
    const waiting = sql`${isShown} AND ${TRANSACTION} NOT IN (${storedSince(sql`first`, sql`stored`)})`;
    return sql`WITH (SELECT minOrNull(ts) FROM ${polymarketEarlyFills} WHERE ${isShown}) AS first, (SELECT max(ingested_at) FROM ${polymarketFills} WHERE ts >= first - ${APART}) AS stored SELECT toString(toUnixTimestamp(minOrNull(ts))) AS since, toString(toUnixTimestamp64Micro(stored)) AS stored_by FROM ${polymarketEarlyFills} WHERE ${waiting}`;
  },
  /**
   * Rows are written to the table after its further sort orders, batch after batch: what the table had at
   * `storedBy` every order has, and what came after it is left out of all of them alike.
   */
  beside: ({ shownAfter, since, storedBy }: EarlyView): EarlyPart => {
    const first = sql`toDateTime(${bind("UInt32", Number(since))}, 'UTC')`;
    const stored = sql`fromUnixTimestamp64Micro(${bind("Int64", storedBy)})`;
    return {
      from: sql`${polymarketEarlyFills}`,
      where: [
        sql`ingested_at > fromUnixTimestamp64Micro(${bind("Int64", shownAfter)})`,
        sql`ts >= ${first}`,
        sql`${TRANSACTION} NOT IN (${storedSince(first, stored)})`,
      ],
      stored: [sql`(ts < ${first} - ${APART} OR ingested_at <= ${stored})`],
    };
  },
} satisfies EarlyRows & { beside: (view: EarlyView) => EarlyPart };
