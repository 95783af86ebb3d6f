import type { Held } from "../../definition/coverage.ts";
import { hexOf } from "../../definition/filter.ts";
import type { Span } from "../../definition/spans.ts";
import { bind, joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { socialMentions } from "../../tables/social-mentions.ts";

export const NEAR_SECONDS = 3600;
/** Longest delay in seconds before new posts are matched to markets. */
const LAG_SECONDS = 300;
const BY_POST = copyOf(socialMentions, "social_mentions_by_post");
const NEAR = bind("UInt32", NEAR_SECONDS);

const secondsOf = (spans: readonly Span[], end: "from" | "to"): Bound =>
  bind(
    "Array(Int64)",
    spans.map((span) => Math.trunc(Math.max(0, span[end]) / 1000)),
  );

export type PostsNear = {
  /** Joins to rows the data that `count` reads in addition to their own columns. */
  readonly beside: (rows: Sql, condition: Sql) => Sql;
  /**
   * Posts about the market within an hour of the row's time; null unless some source was gathered throughout, and for
   * an unknown market.
   */
  readonly count: (timestamp: Sql) => Sql;
};

/** Posts near times between `from` and `to`; undefined if no source was ever gathered. */
export function postsNear(
  held: Held | undefined,
  { from, to, now }: { readonly from: Sql; readonly to: Sql; readonly now: Sql },
  only: readonly Sql[],
): PostsNear | undefined {
  const spans = Object.values(held ?? {}).flat();
  if (spans.length === 0) return undefined;
  const within = [
    sql`ts >= ${from} - toIntervalSecond(${NEAR})`,
    // A jump over several buckets may be stored under a time after the range.
    sql`ts <= ${to} + toIntervalSecond(${NEAR}) + toIntervalDay(1)`,
    sql`NOT is_gone`,
    ...only,
  ];
  const near = sql`SELECT ${hexOf(sql`condition_id`)} AS of_condition, groupArray(toUnixTimestamp64Milli(ts)) AS near FROM ${BY_POST} FINAL WHERE ${joined(within, sql` AND `)} GROUP BY condition_id`;
  return {
    beside: (rows, condition) =>
      sql`SELECT j.*, near, isNotNull(${condition}) AS is_market_known FROM (${rows}) AS j LEFT JOIN (${near}) AS n ON n.of_condition = ${condition}`,
    count: (timestamp) => {
      const at = sql`toInt64(toUnixTimestamp(${timestamp}))`;
      const end = sql`least(${at} + ${NEAR}, toInt64(toUnixTimestamp(toDateTime(${now}, 'UTC'))) - ${bind("UInt32", LAG_SECONDS)})`;
      const isGathered = sql`arrayExists((f, t) -> f <= ${at} - ${NEAR} AND t >= ${end}, ${secondsOf(spans, "from")}, ${secondsOf(spans, "to")})`;
      return sql`if(is_market_known AND ${isGathered}, toInt32(arrayCount(x -> abs(x - ${at} * 1000) <= ${NEAR} * 1000, near)), NULL)`;
    },
  };
}
