import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import { settlePages } from "../control/settle-pages.ts";
import type { ParkedRow } from "./replay-page.ts";

/**
 * For a page that is read by walking over its time: the gaps it left are due at once. A page that left none stood where
 * the walk stopped, so it is read once the stream has got on; true says that it is.
 */
export async function retryWalk(
  { db, clock }: { readonly db: Kysely<RecordsSchema>; readonly clock: Clock },
  { id, stream, last_at }: ParkedRow,
  isDry: boolean,
): Promise<boolean> {
  const gaps = db.selectFrom("gaps").select("id").where("parked_id", "=", id).where("filled_at", "is", null);
  if ((await gaps.execute()).length > 0) {
    if (!isDry) {
      const due = { retry_at: null, unfillable: null };
      await db.updateTable("gaps").set(due).where("parked_id", "=", id).where("filled_at", "is", null).execute();
    }
    return false;
  }
  const row = await db.selectFrom("streams").select("last_ok_at").where("name", "=", stream).executeTakeFirst();
  const hasPassed = row?.last_ok_at != null && row.last_ok_at > last_at;
  if (hasPassed && !isDry) await settlePages(db, [id], new Date(clock.now()));
  return hasPassed;
}
