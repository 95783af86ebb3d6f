import { type Kysely, sql } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import { fillEnds } from "./gap-record.ts";

/** Longer than any deriver is stopped: derivers find in filled gaps which rows were rolled back. */
const KEPT_MS = 90 * 86_400_000;

/** Deletes records settled long ago: filled gaps, replayed pages, and notices. */
export async function dropSettled(db: Kysely<RecordsSchema>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  await db.deleteFrom("gaps").where("filled_at", "<", before).execute();
  await db
    .deleteFrom("parked")
    .where("replayed_at", "<", before)
    .where((page) =>
      page.not(page.exists(page.selectFrom("gaps").select("gaps.id").whereRef("gaps.parked_id", "=", "parked.id"))),
    )
    .execute();
  await db.deleteFrom("notices").where("noticed_at", "<", before).execute();
}

/**
 * Marks pages as read and their gaps as filled, in one transaction. Call it once their rows are stored. Returns how
 * many.
 */
export function settlePages(db: Kysely<RecordsSchema>, ids: readonly number[], now: Date): Promise<number> {
  if (ids.length === 0) return Promise.resolve(0);
  return db.transaction().execute(async (work) => {
    const settled = await work
      .updateTable("parked")
      .set({ replayed_at: now })
      .where("id", "in", ids)
      .where("replayed_at", "is", null)
      .returning("id")
      .execute();
    await work
      .updateTable("gaps")
      .set({ filled_at: now, to_at: sql<Date>`coalesce(to_at, ${now}::timestamptz)` })
      .where("parked_id", "in", ids)
      .where("filled_at", "is", null)
      .execute();
    return settled.length;
  });
}

/** A completed walk: the time it reads from, and when it started. */
export type Reread = { readonly from: Date; readonly startedAt: Date };

/**
 * After a walk over these gaps, fills those of parked pages whose wrong rows it did not meet again. The part of a gap
 * before the walk stays open, for a walk that ends there. Returns the ids of gaps whose wrong rows it met.
 */
export async function settleReread(
  db: Kysely<RecordsSchema>,
  gapIds: readonly number[],
  { from, startedAt }: Reread,
  now: Date,
): Promise<readonly number[]> {
  if (gapIds.length === 0) return [];
  const gaps = await db
    .selectFrom("gaps")
    .innerJoin("parked", "parked.id", "gaps.parked_id")
    .select(["gaps.id", "gaps.parked_id", "gaps.from_at", "parked.last_at"])
    .where("gaps.id", "in", gapIds)
    .where("gaps.filled_at", "is", null)
    .execute();
  const read = gaps.filter(({ last_at }) => last_at < startedAt);
  const whole = read.filter(({ from_at }) => from_at >= from);
  const cut = read.filter(({ from_at }) => from_at < from).map(({ id }) => id);
  await fillEnds(db, cut, from, now);
  // A page with several gaps is settled once walks covered all of them.
  const pages = [...new Set(whole.flatMap(({ parked_id }) => parked_id ?? []))];
  const others = await db
    .selectFrom("gaps")
    .select("parked_id")
    .where("parked_id", "in", pages.length > 0 ? pages : [0])
    .where("filled_at", "is", null)
    .where("id", "not in", whole.length > 0 ? whole.map(({ id }) => id) : [0])
    .execute();
  const partly = new Set(others.map(({ parked_id }) => parked_id));
  await settlePages(
    db,
    pages.filter((page) => !partly.has(page)),
    now,
  );
  const filled = whole.filter(({ parked_id }) => partly.has(parked_id)).map(({ id }) => id);
  if (filled.length > 0) await db.updateTable("gaps").set({ filled_at: now }).where("id", "in", filled).execute();
  return gaps.filter(({ last_at }) => last_at >= startedAt).map(({ id }) => id);
}
