import { sql, type Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

const A_STATEMENT = 1000;

/** Writes down from when on instruments are followed; what is written already stays. */
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
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
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
