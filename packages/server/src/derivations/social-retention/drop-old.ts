import { ACTIVE_PARTS } from "../../definition/table-sql.ts";
import { bind, fromDefinition, name, sql } from "../../definition/sql.ts";
import type { Sweep } from "../../definition/regular-jobs.ts";
import { socialMentions } from "../../tables/social-mentions.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { socialReactions } from "../../tables/social-reactions.ts";
import { socialRemovals } from "../../tables/social-removals.ts";
import { deleteWhere } from "./erase-rows.ts";

const DAY_MS = 86_400_000;
const DAYS_PER_CYCLE = 31;

/**
 * Deletes posts older than `days` days, a whole UTC day at a time, with their mentions and the reactions of that time.
 * Removals reported by their source go with them; those on request stay permanently, so that reappearing content stays
 * hidden.
 */
export const oldSweep = (days: number): Sweep => ({
  name: "social-old",
  title: `Posts are kept for ${days} days (SOCIAL_RETENTION_DAYS): those`,
  of: socialPosts,
  everySeconds: 3600,
  sweep: async (store, { now, removing }) => {
    const cut = Math.floor((now - days * DAY_MS) / DAY_MS) * DAY_MS;
    const before = sql`ts < fromUnixTimestamp64Milli(${bind("Int64", String(cut))}, 'UTC')`;
    const old = await store.rows<{ id: string; n: string }>(
      sql`SELECT partition_id AS id, sum(rows) AS n FROM ${ACTIVE_PARTS} AND table = ${bind("String", socialPosts.name)} AND toDate(partition) < toDate(fromUnixTimestamp64Milli(${bind("Int64", String(cut))}, 'UTC')) GROUP BY partition_id ORDER BY partition_id`,
    );
    const turn = old.slice(0, DAYS_PER_CYCLE);
    if (turn.length > 0) await removing(cut);
    for (const { id } of turn) {
      const partition = id.replaceAll(/[^0-9A-Za-z-]/g, "");
      await store.alter(fromDefinition(`ALTER TABLE ${socialPosts.name} DROP PARTITION ID '${partition}'`));
    }
    let rows = turn.reduce((sum, { n }) => sum + Number(n), 0);
    const others = [...Object.keys(socialMentions.copies ?? {}), socialMentions.name, socialReactions.name];
    for (const other of others) rows += await deleteWhere(store, name(other), before);
    const reported = sql`${before} AND reason != 'request'`;
    await deleteWhere(store, sql`${socialRemovals}`, reported);
    return { rows, isDone: old.length <= DAYS_PER_CYCLE };
  },
});
