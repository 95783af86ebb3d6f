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
  const later = (column: "to_at" | "since") =>
    sql<Date>`least(${sql.ref(column)} + ${byMs} * interval '1 millisecond', ${last}::timestamptz)`;
  await db
    .updateTable("gaps")
    .set({ to_at: later("to_at") })
    .where("stream", "=", stream)
    .where("to_at", ">=", first)
    .where("to_at", "<", last)
    .execute();
  await db
    .updateTable("followed")
    .set({ since: later("since") })
    .where("stream", "=", stream)
    .where("since", ">=", first)
    .where("since", "<", last)
    .execute();
}
