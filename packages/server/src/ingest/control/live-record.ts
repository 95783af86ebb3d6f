import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import type { LiveStatus } from "../status/live-status.ts";

type Db = Kysely<RecordsSchema>;

/** What was written later than this is of a process that runs. */
const FRESH_MS = 20_000;
const KEPT_MS = 3_600_000;

/** Writes down what a process knows of its streams now, in place of what it wrote before. */
export async function saveLive(db: Db, process: string, status: LiveStatus, now: Date): Promise<void> {
  const written = { status: JSON.stringify(status), written_at: now };
  await db
    .insertInto("live_status")
    .values({ process, ...written })
    .onConflict((conflict) => conflict.column("process").doUpdateSet(written))
    .execute();
}

/** The process ends; what others that were killed left goes too. */
export async function dropLive(db: Db, process: string, now: Date): Promise<void> {
  await db
    .deleteFrom("live_status")
    .where((row) => row.or([row("process", "=", process), row("written_at", "<", new Date(now.getTime() - KEPT_MS))]))
    .execute();
}

/** Of the processes that run, newest first. */
export async function findLive(db: Db, now: Date): Promise<LiveStatus[]> {
  const rows = await db
    .selectFrom("live_status")
    .select("status")
    .where("written_at", ">", new Date(now.getTime() - FRESH_MS))
    .orderBy("written_at", "desc")
    .execute();
  return rows.map(({ status }) => status as unknown as LiveStatus);
}
