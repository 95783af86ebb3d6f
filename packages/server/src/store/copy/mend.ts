import { inBuckets, inGroups } from "./bucket.ts";
import type { Compared } from "./compare.ts";
import { copyRows } from "./copy-rows.ts";
import type { Move } from "./move.ts";
import { fillCopy, takeAway } from "./put-rows.ts";
import { all } from "./slice.ts";
import { staysOn } from "./stamp.ts";

/** One deletion and one insert for so many buckets that differ. */
const BUCKETS_AT_ONCE = 24;

/** Makes the buckets that differ anew: rows that the source no longer has go at the target too. */
export async function mend(move: Move, { table, differences, copies }: Compared): Promise<void> {
  const groups = inGroups(namesOf(differences), BUCKETS_AT_ONCE);
  for (const [index, group] of groups.entries()) {
    move.signal?.throwIfAborted();
    await copyRows(move, table, all([inBuckets(table, group), staysOn(table, move.now())]), false);
    move.onProgress?.({ phase: "mend", table: table.name, done: index + 1, of: groups.length });
  }
  const mended = new Set(namesOf(differences));
  for (const [copy, found] of Object.entries(copies)) {
    const left = namesOf(found).filter((bucket) => !mended.has(bucket));
    for (const group of inGroups(left, BUCKETS_AT_ONCE)) {
      const where = all([inBuckets(table, group), staysOn(table, move.now())]);
      await takeAway(move.target, copy, where);
      await fillCopy(move.target, table, copy, where);
    }
  }
}

const namesOf = (found: readonly { readonly bucket: string }[]): string[] => found.map(({ bucket }) => bucket);
