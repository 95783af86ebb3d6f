import { joined, sql, type Sql } from "../../definition/sql.ts";
import { socialErasures } from "../../tables/social-erasures.ts";
import { socialRemovals } from "../../tables/social-removals.ts";

/** Until when an author's removal hides what the author wrote: who comes back may write again, unless it was asked for. */
export const HIDES_UNTIL: Sql = sql`if(reason = 'request', toDateTime64('2299-12-31 00:00:00', 3, 'UTC'), ts)`;

/**
 * The scalars that `isVisible` reads, for a WITH: `erased`, up to when removals are carried out in the tables
 * themselves, and `gone`, the removals that are not. `late` gives `id` and `author` of rows stored after `erased`, whose
 * removals may be long known.
 */
export function goneSql(late: Sql): Sql {
  const columns = sql`source, what, id, ${HIDES_UNTIL} AS until`;
  const removals = joined(
    [
      sql`SELECT ${columns} FROM ${socialRemovals} WHERE ingested_at > erased`,
      sql`SELECT ${columns} FROM ${socialRemovals} WHERE id IN (SELECT arrayJoin([id, author]) FROM (${late}))`,
    ],
    sql` UNION ALL `,
  );
  return sql`${ERASED_THROUGH} AS erased,
(SELECT (groupArrayIf((source, id), what = 'record'), groupArrayIf((source, id, until), what = 'author')) FROM (${removals})) AS gone`;
}

/** A row with `source` and `id` was not removed by itself. */
export const STANDS: Sql = sql`(source, id) NOT IN (SELECT g.1, g.2 FROM (SELECT arrayJoin(gone.1) AS g))`;

/** A row with `source`, `id`, `author` and `ts` was removed neither by itself nor with its author. */
export const IS_VISIBLE: Sql = sql`${STANDS} AND NOT arrayExists(a -> a.2 = author AND a.1 = source AND ts <= a.3, gone.2)`;

/** Who reacted, where the id of a reaction says it (at://did/…); else empty. */
export const REACTOR: Sql = sql`extract(id, '^at://([^/]+)/')`;

/** Up to when removals are carried out in the tables themselves. */
export const ERASED_THROUGH: Sql = sql`(SELECT max(through) FROM ${socialErasures})`;
