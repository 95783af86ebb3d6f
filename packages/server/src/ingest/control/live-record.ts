import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import type { LiveStatus } from "../status/live-status.ts";

type Db = Kysely<RecordsSchema>;

/** Only one process ingests, so there is one row. */
const LEADER = "leader";
/** A status written more recently is from a running process. */
const FRESH_MS = 20_000;

/** Publishes the current status of the ingesting process's streams for processes that only serve queries. */
export async function saveLive(db: Db, status: LiveStatus, now: Date): Promise<void> {
  const written = { status: JSON.stringify(status), written_at: now };
  await db
    .insertInto("live_status")
    .values({ process: LEADER, ...written })
    .onConflict((conflict) => conflict.column("process").doUpdateSet(written))
    .execute();
}

/** Deletes the status: this process no longer ingests. */
export async function dropLive(db: Db): Promise<void> {
  await db.deleteFrom("live_status").where("process", "=", LEADER).execute();
}

/** The current status; undefined if no process ingests. */
export async function findLive(db: Db, now: Date): Promise<LiveStatus | undefined> {
  const row = await db
    .selectFrom("live_status")
    .select("status")
    .where("process", "=", LEADER)
    .where("written_at", ">", new Date(now.getTime() - FRESH_MS))
    .executeTakeFirst();
  return row?.status as unknown as LiveStatus | undefined;
}
