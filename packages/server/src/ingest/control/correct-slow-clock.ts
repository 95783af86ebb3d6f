import { sql, type Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

const CORRECTED_MS = 86_400_000;

/**
 * Corrects times taken from a machine clock that was slow by `byMs` until it showed `until` (Unix ms): ends of the
 * stream's gaps and start times of followed instruments move later. How long the clock was slow is unknown, so the day
 * before is corrected; if it was right for a part of that, too much is declared missing, never too little.
 */
export async function correctSlowClock(
  db: Kysely<RecordsSchema>,
  stream: string,
  { byMs, until }: { readonly byMs: number; readonly until: number },
): Promise<void> {
  const [first, last] = [new Date(until - CORRECTED_MS), new Date(until)];
  // One transaction: a retry after a partial failure would move the first table's times twice.
  await db.transaction().execute(async (work) => {
    for (const [table, column] of [
      ["gaps", "to_at"],
      ["followed", "since"],
    ] as const) {
      const timestamp = sql.ref(column);
      await sql`update ${sql.table(table)} set ${timestamp} = least(${timestamp} + ${byMs} * interval '1 millisecond', ${last}::timestamptz)
where stream = ${stream} and ${timestamp} >= ${first}::timestamptz and ${timestamp} < ${last}::timestamptz`.execute(
        work,
      );
    }
  });
}
