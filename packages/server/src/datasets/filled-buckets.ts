import type { Asking, Keys, OrderKey } from "../definition/dataset.ts";
import { CARRIED } from "../definition/fill.ts";
import { bind, joined, name, sql, type Sql } from "../definition/sql.ts";

/** Numbers buckets consecutively. */
export type Numbering = { readonly numberOf: (bucket: Sql) => Sql; readonly bucketOf: (number: Sql) => Sql };

/** Buckets by a second within each, both inclusive. */
export type Names = { readonly from: number | undefined; readonly to: number | undefined };

/** A Unix second as a DateTime expression. */
export const atSecond = (seconds: number): Sql => sql`toDateTime(${bind("UInt32", seconds)}, 'UTC')`;

const at = (keys: Keys): number => Date.parse(String(keys[0])) / 1000;

/** The buckets of a range that a page may contain: starting at that of its cursor. */
export function namesOfPage({ from, to }: Names, { place }: Pick<Asking, "place">, isForward: boolean): Names {
  if (place === undefined) return { from, to };
  const after = at(place.after);
  return isForward ? { from: Math.max(from ?? 0, after), to } : { from, to: Math.min(to ?? after, after) };
}

/**
 * Fills the gaps between the buckets of `from` (with `bucket`, `close` and `columns`), from the first traded to the
 * last; a quiet bucket carries the preceding close. `from` also holds the nearest traded buckets on either side of the
 * range. Produces no more buckets than a page can show: each stored bucket and the missing ones up to the next form a
 * run; runs, counted in page order, are expanded only if they begin within the page, and only up to its end.
 */
export function filledBuckets(
  from: Sql,
  {
    numbering: { numberOf, bucketOf },
    names,
    order,
    rows,
    columns,
  }: {
    readonly numbering: Numbering;
    readonly names: Names;
    readonly order: OrderKey["direction"];
    readonly rows: number;
    readonly columns: readonly string[];
  },
): Sql {
  const first = names.from === undefined ? sql`toInt64(0)` : sql`toInt64(${numberOf(atSecond(names.from))})`;
  const last = names.to === undefined ? sql`toInt64(4294967295)` : sql`toInt64(${numberOf(atSecond(names.to))})`;
  // One more, because the bucket of the cursor is produced too and then skipped by the page.
  const most = bind("Int64", rows + 1);
  const isForward = order === "asc";
  const walk = isForward ? sql`ASC` : sql`DESC`;
  const own = columns.map((column) => {
    const value = sql`if(made = number, ${name(column)}, NULL)`;
    const isCarried = CARRIED.some((one) => one === column);
    return sql`${isCarried ? sql`coalesce(${value}, carried)` : value} AS ${name(column)}`;
  });
  const numbered = sql`SELECT *, toInt64(${numberOf(sql`bucket`)}) AS number FROM ${from}`;
  const known = sql`SELECT *, leadInFrame(number) OVER (ORDER BY number ASC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS following,
    last_value(close) OVER (ORDER BY number ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS carried,
    maxIf(number, close IS NOT NULL) OVER () AS newest FROM (${numbered})`;
  const runs = sql`SELECT *, greatest(number, ${first}) AS begins, least(if(number < newest, following - 1, number), ${last}) AS ends
    FROM (${known}) WHERE carried IS NOT NULL AND number <= newest`;
  const counted = sql`SELECT *, ends - begins + 1 AS many,
    sum(many) OVER (ORDER BY number ${walk} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - many AS earlier
    FROM (${runs}) WHERE ends >= begins`;
  const made = isForward
    ? sql`range(begins, begins + least(many, ${most} - earlier))`
    : sql`range(ends + 1 - least(many, ${most} - earlier), ends + 1)`;
  return sql`(SELECT ${bucketOf(sql`made`)} AS bucket, ${joined(own, sql`, `)}
    FROM (SELECT *, arrayJoin(${made}) AS made FROM (${counted}) WHERE earlier < ${most}))`;
}
