import { sql, type Kysely, type Selectable, type Transaction } from "kysely";
import type { Batch } from "../../definition/connector.ts";
import type { RecordsSchema } from "../../records/schema.ts";

export type StreamRow = Selectable<RecordsSchema["streams"]>;
export type StreamState = "starting" | "running" | "caught_up" | "failing" | "stopped" | "off" | "replaced";

type Db = Kysely<RecordsSchema>;

/** What is written down about a stream; undefined before its first start. */
export function findStream(db: Db, name: string): Promise<StreamRow | undefined> {
  return db.selectFrom("streams").selectAll().where("name", "=", name).executeTakeFirst();
}

/** The state as operators and coverage see it; the first call makes the row. */
export async function saveState(db: Db, name: string, state: StreamState, now: Date): Promise<void> {
  await db
    .insertInto("streams")
    .values({ name, state, updated_at: now })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ state, updated_at: now }))
    .execute();
}

export async function saveError(db: Db, name: string, error: string, now: Date): Promise<void> {
  const failed = { state: "failing", last_error: error.slice(0, 2000), last_error_at: now, updated_at: now };
  await db
    .insertInto("streams")
    .values({ name, ...failed })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(failed))
    .execute();
}

export type Progress = Pick<Batch, "reached" | "since" | "isCaughtUp"> & {
  readonly cursor?: Batch["cursor"];
  readonly stored: number;
  readonly state?: StreamState;
};

/** Moves a stream on. `since` only ever gets earlier; what a batch does not say stays as it was. */
export async function saveProgress(
  db: Db | Transaction<RecordsSchema>,
  name: string,
  progress: Progress,
  now: Date,
): Promise<void> {
  const moved = {
    ...(progress.cursor === undefined ? {} : { cursor: JSON.stringify(progress.cursor) }),
    ...(progress.reached === undefined ? {} : { reached: progress.reached }),
    state: progress.state ?? (progress.isCaughtUp ? "caught_up" : "running"),
    last_ok_at: now,
    updated_at: now,
  };
  const { since } = progress;
  await db
    .insertInto("streams")
    .values({ name, ...moved, ...(since === undefined ? {} : { since }), rows_stored: progress.stored })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((set) => ({
        ...moved,
        ...(since === undefined
          ? {}
          : { since: sql<Date>`least(coalesce(streams.since, ${since}::timestamptz), ${since}::timestamptz)` }),
        rows_stored: set("streams.rows_stored", "+", progress.stored),
      })),
    )
    .execute();
}
