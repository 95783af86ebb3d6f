import { sql, type Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

const A_STATEMENT = 1000;

/** Writes down from when on instruments are followed; what is written already stays, and is followed again. */
export async function saveFollowed(
  db: Kysely<RecordsSchema>,
  stream: string,
  since: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = [...since].map(([instrument, at]) => ({ stream, instrument, since: new Date(at) }));
  for (let first = 0; first < rows.length; first += A_STATEMENT) {
    await db
      .insertInto("followed")
      .values(rows.slice(first, first + A_STATEMENT))
      .onConflict((conflict) => conflict.columns(["stream", "instrument"]).doUpdateSet({ left_at: null }))
      .execute();
  }
}

/** The instruments of a stream whose last state is not known to be stored, oldest first; so many at most. */
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

/** The last states of these are stored. */
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

/** Since when (Unix ms) these instruments are followed by this stream; those that are not are left out. */
export async function findFollowed(
  db: Kysely<RecordsSchema>,
  stream: string,
  instruments: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("followed")
    .select(["instrument", "since"])
    .where("stream", "=", stream)
    .where("instrument", "=", sql<string>`any(${sql.val([...instruments])}::text[])`)
    .execute();
  return new Map(rows.map(({ instrument, since }) => [instrument, since.getTime()]));
}
