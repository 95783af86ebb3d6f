import { sql, type Kysely, type Selectable } from "kysely";
import type { Sweep, Swept } from "../../definition/regular-jobs.ts";
import type { RecordsSchema } from "../../records/schema.ts";

type Db = Kysely<RecordsSchema>;
export type RetentionRow = Selectable<RecordsSchema["retention"]>;

/** Totals of all sweeps, by name. */
export const findRetention = (db: Db): Promise<RetentionRow[]> =>
  db.selectFrom("retention").selectAll().orderBy("name").execute();

/** Adds to a sweep's totals; `gone_before` never decreases. */
export async function saveSwept(
  db: Db,
  { name, title, of }: Sweep,
  swept: Pick<Swept, "rows"> & { readonly goneBefore?: number },
  now: Date,
): Promise<void> {
  const gone = swept.goneBefore === undefined ? null : new Date(swept.goneBefore);
  await db
    .insertInto("retention")
    .values({ name, title, table_name: of.name, gone_before: gone, rows: swept.rows, ran_at: now, last_error: null })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({
        title,
        table_name: of.name,
        gone_before: sql`greatest(retention.gone_before, excluded.gone_before)`,
        rows: sql`retention.rows + excluded.rows`,
        ran_at: now,
        last_error: null,
      }),
    )
    .execute();
}

export async function saveSweepError(db: Db, { name, title, of }: Sweep, error: string): Promise<void> {
  await db
    .insertInto("retention")
    .values({ name, title, table_name: of.name, last_error: error })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ last_error: error }))
    .execute();
}
