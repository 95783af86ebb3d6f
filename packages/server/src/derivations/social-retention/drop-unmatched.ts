import { bind, fromDefinition, name, sql, type Sql } from "../../definition/sql.ts";
import type { Sweep } from "../../definition/regular-jobs.ts";
import { copyOf } from "../../definition/table.ts";
import { wholeTable } from "../../definition/table-sql.ts";
import { socialMentions } from "../../tables/social-mentions.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { socialReactions } from "../../tables/social-reactions.ts";
import { deleteWhere } from "./erase-rows.ts";

const HOUR_MS = 3_600_000;
const DAYS_PER_CYCLE = 4;
const BY_POST = copyOf(socialMentions, "social_mentions_by_post");

/** Posts about a market, by key. */
const mentioned = (where: Sql): Sql =>
  sql`SELECT ts, source, post_id FROM ${wholeTable(BY_POST)} FINAL WHERE ${where} AND NOT is_gone`;

/**
 * Deletes posts about no market after some hours, with the reactions to them. None is deleted before it was matched:
 * the sweep waits until mentions are computed up to that time.
 */
export const unmatchedSweep = (hours: number): Sweep => ({
  name: "social-unmatched",
  title: `Posts about no market are kept for ${hours} hours (SOCIAL_UNMATCHED_HOURS): those`,
  of: socialPosts,
  everySeconds: 3600,
  sweep: async (store, { now, derivedThrough, removing, signal }) => {
    const cut = Math.floor(now - hours * HOUR_MS);
    const through = await derivedThrough(socialMentions);
    if (through === undefined || through < cut) return { rows: 0, isDone: true };
    const before = sql`ts < fromUnixTimestamp64Milli(${bind("Int64", String(cut))}, 'UTC')`;
    // Rows stored since, whatever their time, may still turn out to be about a market.
    const lookedAt = sql`ingested_at <= fromUnixTimestamp64Milli(${bind("Int64", String(through))}, 'UTC')`;
    const found = await store.rows<{ day: string; n: string }>(
      sql`SELECT toString(toDate(ts)) AS day, count() AS n FROM ${socialPosts} WHERE ${before} AND ${lookedAt} AND (ts, source, id) NOT IN (${mentioned(before)}) GROUP BY day ORDER BY day`,
    );
    const turn = found.slice(0, DAYS_PER_CYCLE);
    if (turn.length > 0) await removing(cut);
    for (const { day } of turn) {
      signal.throwIfAborted();
      const inDay = sql`${before} AND toDate(ts) = toDate(${bind("String", day)})`;
      const partition = fromDefinition(`IN PARTITION '${day.replaceAll(/[^0-9-]/g, "")}'`);
      await store.alter(
        sql`DELETE FROM ${socialPosts} ${partition} WHERE ${before} AND ${lookedAt} AND (ts, source, id) NOT IN (${mentioned(inDay)})`,
      );
      await store.alter(
        sql`DELETE FROM ${name(`${socialPosts.name}_versions`)} WHERE ${inDay} AND (ts, source, id) NOT IN (${mentioned(inDay)})`,
      );
    }
    const rows = turn.reduce((sum, { n }) => sum + Number(n), 0);
    const left = sql`${before} AND ${lookedAt} AND (source, post_id) NOT IN (SELECT source, post_id FROM ${wholeTable(BY_POST)} FINAL WHERE ${before} AND NOT is_gone)`;
    const alone = await deleteWhere(store, sql`${socialReactions}`, left);
    return { rows: rows + alone, isDone: found.length <= DAYS_PER_CYCLE };
  },
});
