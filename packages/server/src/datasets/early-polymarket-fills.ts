import type { EarlyRows, EarlyView } from "../definition/early-view.ts";
import type { Question } from "../definition/dataset.ts";
import { bind, sql } from "../definition/sql.ts";
import { polymarketEarlyFills } from "../tables/polymarket-early-fills.ts";
import { polymarketFills } from "../tables/polymarket-fills.ts";

type EarlyPart = NonNullable<Question["early"]>;

/** RTDS tells a second or two less than the block's time, and a reorganisation moves a transaction to another block. */
const APART = sql`INTERVAL 600 SECOND`;

/** Polymarket's fills of the last minutes of which the store has nothing yet. */
export const earlyPolymarketFills = {
  table: polymarketEarlyFills,
  shownSeconds: 300,
  view: (shownAfter) =>
    sql`WITH (SELECT minOrNull(ts) FROM ${polymarketEarlyFills} WHERE ingested_at > fromUnixTimestamp64Micro(${shownAfter})) AS first SELECT toString(toUnixTimestamp(first)) AS since, toString(toUnixTimestamp64Micro(max(ingested_at))) AS stored_by FROM ${polymarketFills} WHERE ts >= first - ${APART}`,
  /**
   * Rows are written to the table after its further sort orders, batch after batch: what the table had at
   * `storedBy` every order has, and what came after it is left out of all of them alike.
   */
  beside: ({ shownAfter, since, storedBy }: EarlyView): EarlyPart => {
    const first = sql`toDateTime(${bind("UInt32", Number(since))}, 'UTC')`;
    const stored = sql`ingested_at <= fromUnixTimestamp64Micro(${bind("Int64", storedBy)})`;
    return {
      from: sql`${polymarketEarlyFills}`,
      where: [
        sql`ingested_at > fromUnixTimestamp64Micro(${bind("Int64", shownAfter)})`,
        sql`ts >= ${first}`,
        sql`tx_hash NOT IN (SELECT tx_hash FROM ${polymarketFills} WHERE ts >= ${first} - ${APART} AND ${stored})`,
      ],
      stored: [sql`(ts < ${first} - ${APART} OR ${stored})`],
    };
  },
} satisfies EarlyRows & { beside: (view: EarlyView) => EarlyPart };
