import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import { settlePages } from "./settle-pages.ts";

/**
 * After a walk that began at `startedAt` went over the whole of these gaps: those of pages whose wrong rows it did not
 * meet again are filled. Returns the ids of the gaps that stay open.
 */
export async function settleReread(
  db: Kysely<RecordsSchema>,
  gapIds: readonly number[],
  startedAt: Date,
  now: Date,
): Promise<readonly number[]> {
  if (gapIds.length === 0) return [];
  const gaps = await db
    .selectFrom("gaps")
    .innerJoin("parked", "parked.id", "gaps.parked_id")
    .select(["gaps.id", "gaps.parked_id", "parked.last_at"])
    .where("gaps.id", "in", gapIds)
    .where("gaps.filled_at", "is", null)
    .execute();
  const isRead = (gap: { readonly last_at: Date }): boolean => gap.last_at < startedAt;
  // A page that left several gaps is read once the walk went over all of them.
  const pages = [...new Set(gaps.filter(isRead).flatMap(({ parked_id }) => parked_id ?? []))];
  const others = await db
    .selectFrom("gaps")
    .select("parked_id")
    .where("parked_id", "in", pages.length > 0 ? pages : [0])
    .where("filled_at", "is", null)
    .where("id", "not in", gapIds)
    .execute();
  const partly = new Set(others.map(({ parked_id }) => parked_id));
  const whole = pages.filter((page) => !partly.has(page));
  await settlePages(db, whole, now);
  const read = gaps.filter((gap) => isRead(gap) && partly.has(gap.parked_id)).map(({ id }) => id);
  if (read.length > 0) await db.updateTable("gaps").set({ filled_at: now }).where("id", "in", read).execute();
  return gaps.filter((gap) => !isRead(gap)).map(({ id }) => id);
}
