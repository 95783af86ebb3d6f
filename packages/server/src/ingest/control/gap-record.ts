import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

type Db = Kysely<RecordsSchema>;
export type OpenGap = {
  readonly stream: string;
  readonly instrument?: string;
  readonly from: Date;
  readonly reason: string;
};

/** Opens a gap that lasts; returns its id. */
export async function openGap(db: Db, gap: OpenGap, now: Date): Promise<number> {
  const { id } = await db
    .insertInto("gaps")
    .values({
      stream: gap.stream,
      instrument: gap.instrument ?? null,
      from_at: gap.from,
      reason: gap.reason,
      opened_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** The gap lasts no longer; what was missed in it stays missed. */
export async function closeGaps(db: Db, ids: readonly number[], to: Date): Promise<void> {
  if (ids.length === 0) return;
  await db.updateTable("gaps").set({ to_at: to }).where("id", "in", ids).where("to_at", "is", null).execute();
}

/** Ids of gaps that last, e.g. of a run that was cut off. */
export async function findLastingGaps(db: Db, stream: string): Promise<number[]> {
  const rows = await db
    .selectFrom("gaps")
    .select("id")
    .where("stream", "=", stream)
    .where("to_at", "is", null)
    .where("filled_at", "is", null)
    .limit(10_000)
    .execute();
  return rows.map(({ id }) => id);
}
