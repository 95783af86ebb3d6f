import { sql, type Kysely } from "kysely";
import { slicesOf } from "../../definition/slices.ts";
import type { RecordsSchema } from "../../records/schema.ts";

const A_STATEMENT = 1000;

/**
 * Writes down from when on instruments are followed. What is written already stays, and is followed again: anew from then
 * on where it was left and what came since is not held (`isAnew`).
 */
export async function saveFollowed(
  db: Kysely<RecordsSchema>,
  stream: string,
  since: ReadonlyMap<string, number>,
  isAnew: boolean,
): Promise<void> {
  const rows = [...since].map(([instrument, at]) => ({ stream, instrument, since: new Date(at) }));
  const anew = sql<Date>`case when followed.left_at is null then followed.since else excluded.since end`;
  const again = { left_at: null, ...(isAnew && { since: anew }) };
  for (const some of slicesOf(rows, A_STATEMENT)) {
    await db
      .insertInto("followed")
      .values(some)
      .onConflict((conflict) => conflict.columns(["stream", "instrument"]).doUpdateSet(again))
      .execute();
  }
}

/** The instruments of a stream that are not left, oldest first; so many at most. */
export async function findHeld(db: Kysely<RecordsSchema>, stream: string, most: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("followed")
    .select("instrument")
    .where("stream", "=", stream)
    .where("left_at", "is", null)
    .orderBy("since")
    .orderBy("instrument")
    .limit(most)
    .execute();
  return rows.map(({ instrument }) => instrument);
}

/** These are left: their last states are stored, or nothing is held of them from `at` on. */
export async function saveLeft(
  db: Kysely<RecordsSchema>,
  stream: string,
  instruments: readonly string[],
  at: Date,
): Promise<void> {
  await db
    .updateTable("followed")
    .set({ left_at: at })
    .where("stream", "=", stream)
    .where("instrument", "=", sql<string>`any(${sql.val([...instruments])}::text[])`)
    .execute();
}

/** Since when (Unix ms) an instrument is followed, and when it was left. */
export type FollowedSpan = { readonly since: number; readonly leftAt?: number };

/** Of these instruments those that this stream follows or followed. */
export async function findFollowed(
  db: Kysely<RecordsSchema>,
  stream: string,
  instruments: readonly string[],
): Promise<ReadonlyMap<string, FollowedSpan>> {
  const rows = await db
    .selectFrom("followed")
    .select(["instrument", "since", "left_at"])
    .where("stream", "=", stream)
    .where("instrument", "=", sql<string>`any(${sql.val([...instruments])}::text[])`)
    .execute();
  return new Map(
    rows.map(({ instrument, since, left_at }) => [
      instrument,
      { since: since.getTime(), ...(left_at && { leftAt: left_at.getTime() }) },
    ]),
  );
}
