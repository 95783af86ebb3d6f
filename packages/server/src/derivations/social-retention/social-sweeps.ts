import type { Sweep, RefreshStore } from "../../definition/regular-jobs.ts";
import { oldSweep } from "./drop-old.ts";
import { unmatchedSweep } from "./drop-unmatched.ts";
import { erasureSweep } from "./erase-removed.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { PARTS_OF_ALL_REPLICAS } from "../../definition/table-sql.ts";
import { bind, fromDefinition, sql } from "../../definition/sql.ts";
import { socialRemovals } from "../../tables/social-removals.ts";
import { ERASABLE } from "./erase-rows.ts";

type Part = { readonly name: string; readonly partition: string };

/**
 * Rewrites parts that contain deleted rows without them, so that they leave the disk (when the engine removes old
 * parts, minutes later). `days` names the partitions of tables partitioned by day; all if absent. Returns the number
 * rewritten.
 */
export async function applyMasks(
  store: RefreshStore,
  { days, most }: { readonly days?: readonly string[]; readonly most: number },
): Promise<{ readonly written: number; readonly isDone: boolean }> {
  const names = bind(
    "Array(String)",
    [...ERASABLE, socialRemovals].map(({ name }) => name),
  );
  const masked = await store.rows<Part>(
    sql`SELECT table AS name, partition_id AS partition FROM ${PARTS_OF_ALL_REPLICAS} AND has(${names}, table) AND has_lightweight_delete GROUP BY table, partition_id ORDER BY table, partition_id`,
  );
  const isMeant = ({ name, partition }: Part): boolean =>
    days === undefined || !isByDay(name) || days.includes(toDay(partition));
  const meant = masked.filter(isMeant);
  for (const { name, partition } of meant.slice(0, most)) {
    const id = partition.replaceAll(/[^0-9A-Za-z-]/g, "");
    await store.alter(
      fromDefinition(`ALTER TABLE ${name} APPLY DELETED MASK IN PARTITION ID '${id}' SETTINGS mutations_sync = 1`),
    );
  }
  return { written: Math.min(most, meant.length), isDone: meant.length <= most };
}

const isByDay = (name: string): boolean => ERASABLE.some((one) => one.name === name && one.isByDay);

/** Ids of partitions by day are written without dashes. */
const toDay = (id: string): string => id.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");

const PARTITIONS_PER_CYCLE = 50;

/** Deleted rows leave the disk within a day; merges remove most of them earlier. */
const maskSweep: Sweep = {
  name: "social-masks",
  title: "Deleted posts on the disk",
  of: socialPosts,
  everySeconds: 86_400,
  sweep: async (store) => {
    const { isDone } = await applyMasks(store, { most: PARTITIONS_PER_CYCLE });
    return { rows: 0, isDone };
  },
};

/** All sweeps that delete posts. */
export const socialSweeps = (kept: { readonly days: number; readonly unmatchedHours: number }): readonly Sweep[] => [
  erasureSweep,
  unmatchedSweep(kept.unmatchedHours),
  oldSweep(kept.days),
  maskSweep,
];
