import { sql, type Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

/** Why nothing else fills the gap of rows that are being taken back: only a walk that brought them back closes it. */
export const UNDOING = "It is closed by the walk that takes them back.";

type Db = Kysely<RecordsSchema>;

/** A gap with both ends that something may still fill. Moments are Unix ms. */
export type FillableGap = {
  readonly id: number;
  readonly stream: string;
  readonly from: number;
  readonly to: number;
  readonly attempts: number;
  readonly tried: readonly string[];
  /** It is what a parked page left: filled when that page is read, or not met again. */
  readonly isParked: boolean;
};

const A_LOOK = 500;

/** Gaps whose next try is due, newest first. */
export async function findFillable(db: Db, now: Date): Promise<FillableGap[]> {
  const rows = await db
    .selectFrom("gaps")
    .select(["id", "stream", "from_at", "to_at", "attempts", "tried", "parked_id"])
    .where("filled_at", "is", null)
    .where("unfillable", "is", null)
    .where("to_at", "is not", null)
    .where((gap) => gap.or([gap("retry_at", "is", null), gap("retry_at", "<=", now)]))
    .orderBy("from_at", "desc")
    .limit(A_LOOK)
    .execute();
  return rows.map(({ id, stream, from_at, to_at, attempts, tried, parked_id }) => ({
    id,
    stream,
    attempts,
    tried,
    isParked: parked_id !== null,
    from: from_at.getTime(),
    to: (to_at ?? from_at).getTime(),
  }));
}

/** A walk that failed: these gaps wait until `retryAt`. */
export async function postponeGaps(db: Db, ids: readonly number[], retryAt: Date): Promise<void> {
  await db
    .updateTable("gaps")
    .set((set) => ({ attempts: set("attempts", "+", 1), retry_at: retryAt }))
    .where("id", "in", ids)
    .execute();
}

/** Closed gaps of these streams, or those with these ids, that nothing can fill: they stay and say why. What a parked page left is not given up: it can be replayed. */
export async function markUnfillable(
  db: Db,
  of: { streams: readonly string[] } | { ids: readonly number[] },
  why: string,
) {
  const update = db.updateTable("gaps").set({ unfillable: why }).where("filled_at", "is", null);
  const chosen = "ids" in of ? update.where("id", "in", of.ids) : update.where("stream", "in", of.streams);
  await chosen.where("to_at", "is not", null).where("unfillable", "is", null).where("parked_id", "is", null).execute();
}

/** Given up gaps of a stream that one of these streams has not walked yet may be filled after all. */
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
