import { sql, type Kysely } from "kysely";
import { slicesOf } from "../../definition/slices.ts";
import type { RecordsSchema } from "../../records/schema.ts";

const A_STATEMENT = 1000;

/**
 * Records since when instruments are followed. An existing row keeps its start and is followed again; with `isRestarted`, an
 * instrument that was left starts again, because the time since is not covered.
 */
export async function saveFollowed(
  db: Kysely<RecordsSchema>,
  stream: string,
  since: ReadonlyMap<string, number>,
  isRestarted: boolean,
): Promise<void> {
  const rows = [...since].map(([instrument, at]) => ({ stream, instrument, since: new Date(at) }));
  const sinceKept = sql<Date>`case when followed.left_at is null then followed.since else excluded.since end`;
  const again = { left_at: null, ...(isRestarted && { since: sinceKept }) };
  for (const some of slicesOf(rows, A_STATEMENT)) {
    await db
      .insertInto("followed")
      .values(some)
      .onConflict((conflict) => conflict.columns(["stream", "instrument"]).doUpdateSet(again))
      .execute();
  }
}

/** A stream's instruments that are still followed, oldest first, at most `most`. */
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

/** Marks instruments as left: their final states are stored, or nothing is covered from `at` on. */
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

/** When an instrument began to be followed, and when it was left (Unix ms). */
export type FollowedSpan = { readonly since: number; readonly leftAt?: number };

/** Those of the instruments that this stream follows or has followed. */
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
