import { sql, type Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

/** Why nothing else fills the gap of rows being rolled back: only the walk that restores them closes it. */
export const UNDOING = "It is closed by the walk that takes them back.";

type Db = Kysely<RecordsSchema>;

/** A closed gap that may still be filled. Times are Unix ms. */
export type FillableGap = {
  readonly id: number;
  readonly stream: string;
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  readonly attempts: number;
  readonly tried: readonly string[];
  /** Left by a parked page: filled once that page is replayed, or no longer encountered. */
  readonly isParked: boolean;
};

const A_LOOK = 500;

/** Gaps whose next attempt is due, newest first. */
export async function findFillable(db: Db, now: Date): Promise<FillableGap[]> {
  const rows = await db
    .selectFrom("gaps")
    .select(["id", "stream", "from_at", "to_at", "reason", "attempts", "tried", "parked_id"])
    .where("filled_at", "is", null)
    .where("unfillable", "is", null)
    .where("to_at", "is not", null)
    .where((gap) => gap.or([gap("retry_at", "is", null), gap("retry_at", "<=", now)]))
    .orderBy("from_at", "desc")
    .limit(A_LOOK)
    .execute();
  return rows.map(({ id, stream, from_at, to_at, reason, attempts, tried, parked_id }) => ({
    id,
    stream,
    reason,
    attempts,
    tried,
    isParked: parked_id !== null,
    from: from_at.getTime(),
    to: (to_at ?? from_at).getTime(),
  }));
}

/** Postpones these gaps until `retryAt` after a failed walk. */
export async function postponeGaps(db: Db, ids: readonly number[], retryAt: Date): Promise<void> {
  await db
    .updateTable("gaps")
    .set((set) => ({ attempts: set("attempts", "+", 1), retry_at: retryAt }))
    .where("id", "in", ids)
    .execute();
}

/**
 * Marks closed gaps of these streams, or with these ids, as unfillable with the reason. Those of parked pages are
 * excluded: they can be replayed.
 */
export async function markUnfillable(
  db: Db,
  of: { streams: readonly string[] } | { ids: readonly number[] },
  why: string,
) {
  const update = db.updateTable("gaps").set({ unfillable: why }).where("filled_at", "is", null);
  const chosen = "ids" in of ? update.where("id", "in", of.ids) : update.where("stream", "in", of.streams);
  await chosen.where("to_at", "is not", null).where("unfillable", "is", null).where("parked_id", "is", null).execute();
}

/** Makes a stream's unfillable gaps fillable again if one of these streams has not tried them yet. */
export async function reviveGaps(db: Db, stream: string, ways: readonly string[]): Promise<void> {
  await db
    .updateTable("gaps")
    .set({ unfillable: null, attempts: 0, retry_at: null })
    .where("stream", "=", stream)
    .where("filled_at", "is", null)
    .where("unfillable", "<>", UNDOING)
    .where(sql<boolean>`not (${ways}::text[] <@ tried)`)
    .execute();
}
