import { sql, type Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

const CORRECTED_MS = 86_400_000;

/**
 * The machine's clock was behind by `byMs` until it showed `until` (Unix ms): ends of the stream's gaps, and moments from
 * which instruments are followed, were taken from it and are moved later. How long it was behind is not known, so this is
 * done for the day before; where it was right for a part of it, more is declared missing than is, never less.
 */
export async function correctSlowClock(
  db: Kysely<RecordsSchema>,
  stream: string,
  { byMs, until }: { readonly byMs: number; readonly until: number },
): Promise<void> {
  const [first, last] = [new Date(until - CORRECTED_MS), new Date(until)];
  // As one: it is tried again where it fails, and would move the first of them twice.
  await db.transaction().execute(async (work) => {
    for (const [table, column] of [
      ["gaps", "to_at"],
      ["followed", "since"],
    ] as const) {
      const moment = sql.ref(column);
      await sql`update ${sql.table(table)} set ${moment} = least(${moment} + ${byMs} * interval '1 millisecond', ${last}::timestamptz)
where stream = ${stream} and ${moment} >= ${first}::timestamptz and ${moment} < ${last}::timestamptz`.execute(work);
    }
  });
}
