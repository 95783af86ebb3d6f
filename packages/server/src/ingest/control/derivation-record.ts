import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

/** The moment up to which everything stored was worked out; undefined before the first run. */
export async function findDerivedThrough(db: Kysely<RecordsSchema>, name: string): Promise<Date | undefined> {
  const row = await db.selectFrom("derivations").select("through").where("name", "=", name).executeTakeFirst();
  return row?.through ?? undefined;
}

export async function saveDerivedThrough(
  db: Kysely<RecordsSchema>,
  name: string,
  through: Date,
  now: Date,
): Promise<void> {
  await db
    .insertInto("derivations")
    .values({ name, through, updated_at: now })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ through, updated_at: now }))
    .execute();
}
