import type { ReadRows } from "../../definition/day-derivation.ts";
import { bind, joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { socialErasures } from "../../tables/social-erasures.ts";
import { socialRemovals } from "../../tables/social-removals.ts";

/**
 * Time until which an author's removal hides their posts: an author who returns may post again, unless the removal was
 * a request.
 */
export const HIDES_UNTIL: Sql = sql`if(reason = 'request', toDateTime64('2299-12-31 00:00:00', 3, 'UTC'), ts)`;

/** Author of a reaction, taken from its id (at://did/…); empty if the id does not contain it. */
export const REACTOR: Sql = sql`extract(id, '^at://([^/]+)/')`;

/** Watermark up to which removals have been applied to the tables themselves. */
export const ERASED_THROUGH: Sql = sql`(SELECT max(through) FROM ${socialErasures})`;

const SINCE_ERASURE: Sql = sql`ingested_at > ${ERASED_THROUGH}`;

/** Condition that a reaction with `source`, `id` and `ts` was not removed, by itself or with its author. */
export const REACTION_IS_VISIBLE: Sql = sql`(source, id) NOT IN (SELECT source, id FROM ${socialRemovals} WHERE what = 'record' AND ${SINCE_ERASURE})
AND NOT arrayExists(a -> a.2 = ${REACTOR} AND a.1 = source AND ts <= a.3, (SELECT groupArray((source, id, ${HIDES_UNTIL})) FROM ${socialRemovals} WHERE what = 'author' AND ${SINCE_ERASURE}))`;

/** A removed post or author; `until` is the time (Unix ms) up to which an author's posts are hidden. */
export type Removal = {
  readonly source: string;
  readonly what: "record" | "author";
  readonly id: string;
  readonly until: string;
};

/**
 * Removals of some posts and of their authors: those stored since the last erasure, and those of posts stored since,
 * whose removals may be older. `posts` gives `id`, `author` and `ingested_at`.
 */
export function readRemovals(read: ReadRows, posts: Sql): Promise<readonly Removal[]> {
  const named = (which: Sql): Sql => sql`id IN (SELECT arrayJoin([id, author]) FROM (${posts}) WHERE ${which})`;
  const found = [sql`${SINCE_ERASURE} AND ${named(sql`1`)}`, named(SINCE_ERASURE)].map(
    (which) => sql`SELECT source, what, id, ${HIDES_UNTIL} AS until FROM ${socialRemovals} WHERE ${which}`,
  );
  return read(
    sql`SELECT toString(source) AS source, toString(what) AS what, id, toString(toUnixTimestamp64Milli(max(until))) AS until FROM (${joined(found, sql` UNION ALL `)}) GROUP BY source, what, id`,
  );
}

/** The engine takes up to 128 KiB as one bound value; a character may take three bytes. */
const MAX_CHARACTERS = 40_000;

/** Condition that a post with `source`, `id`, `author` and `ts` was not removed, by itself or with its author. */
export function visibleSql(removals: readonly Removal[]): Sql {
  const of = (what: Removal["what"]): readonly Removal[][] => inParts(removals.filter((one) => one.what === what));
  const names = (part: readonly Removal[]): Bound => bind("Array(String)", part.map(nameOf));
  const untils = (part: readonly Removal[]): Bound =>
    bind(
      "Array(Int64)",
      part.map(({ until }) => BigInt(until)),
    );
  const conditions = [
    ...of("record").map((part) => sql`concat(toString(source), ' ', id) NOT IN ${names(part)}`),
    ...of("author").map(
      (part) =>
        sql`NOT arrayExists((name, until) -> name = concat(toString(source), ' ', author) AND toUnixTimestamp64Milli(ts) <= until, ${names(part)}, ${untils(part)})`,
    ),
    sql`1`,
  ];
  return joined(conditions, sql` AND `);
}

const nameOf = ({ source, id }: Removal): string => `${source} ${id}`;

/** Splits removals into parts that fit into a bound value, by their names or their timestamps. */
function inParts(removals: readonly Removal[]): Removal[][] {
  const parts: Removal[][] = [];
  let left = 0;
  for (const removal of removals) {
    left -= nameOf(removal).length + removal.until.length;
    if (left < 0) {
      parts.push([]);
      left = MAX_CHARACTERS;
    }
    parts.at(-1)?.push(removal);
  }
  return parts;
}
