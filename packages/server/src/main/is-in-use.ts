import { findLive } from "../ingest/control/live-record.ts";
import { findGuests } from "../ingest/leases/guest.ts";
import type { Records } from "../records/records.ts";

/** Whether processes of these records gather, work out or backfill now; one that was killed is seen for 20 seconds. */
export async function isInUse({ db }: Pick<Records, "db">): Promise<boolean> {
  return (await findLive(db, new Date())).length > 0 || (await findGuests(db));
}
