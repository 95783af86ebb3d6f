import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import type { LiveStatus } from "../status/live-status.ts";

type Db = Kysely<RecordsSchema>;

/** One process gathers: the one row is its. */
const LEADER = "leader";
/** What was written later than this is of a process that runs. */
const FRESH_MS = 20_000;

/** Writes down what the process that gathers knows of its streams now, for those that only answer. */
export async function saveLive(db: Db, status: LiveStatus, now: Date): Promise<void> {
  const written = { status: JSON.stringify(status), written_at: now };
  await db
    .insertInto("live_status")
    .values({ process: LEADER, ...written })
    .onConflict((conflict) => conflict.column("process").doUpdateSet(written))
    .execute();
}

/** The process gathers no more. */
export async function dropLive(db: Db): Promise<void> {
  await db.deleteFrom("live_status").where("process", "=", LEADER).execute();
}

/** Undefined where nothing gathers. */
export async function findLive(db: Db, now: Date): Promise<LiveStatus | undefined> {
  const row = await db
    .selectFrom("live_status")
    .select("status")
    .where("process", "=", LEADER)
    .where("written_at", ">", new Date(now.getTime() - FRESH_MS))
    .executeTakeFirst();
  return row?.status as unknown as LiveStatus | undefined;
}
