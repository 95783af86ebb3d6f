import { sql, type Kysely, type Transaction } from "kysely";
import type { RecordsSchema, StoredChanges } from "../../records/schema.ts";

type Db = Kysely<RecordsSchema>;

/** A consistent read of the log. */
export type LogPage = {
  readonly seq: number;
  /**
   * Milliseconds since the time up to which the leader published everything; undefined if the current leader has
   * published nothing yet.
   */
  readonly ageMs: number | undefined;
  /** Entries after the requested sequence number; undefined if some were pruned. */
  readonly entries: readonly StoredChanges[] | undefined;
};

const HEAD = "leader";
const KEPT_SECONDS = 3600;
const STORES_NOTHING_MORE = "infinity";

/**
 * Starts publishing under a lease. A previous leader that did not end its log may have stored unpublished changes, so
 * "everything" is published then. Returns the records database's time.
 */
export function beginLog(db: Db, token: number): Promise<string> {
  return db.transaction().execute(async (work) => {
    const before = await work
      .selectFrom("stored_head")
      .select(["token", sql<boolean>`told_through = 'infinity'`.as("has_ended")])
      .where("name", "=", HEAD)
      .executeTakeFirstOrThrow();
    const isWhole = before.has_ended && before.token === token - 1;
    return await write(work, token, isWhole ? [] : "everything", sql`clock_timestamp()`);
  });
}

/** Appends changes: the log is then complete up to `through`. Returns the records database's time. */
export function appendToLog(db: Db, token: number, changes: StoredChanges, through: string): Promise<string> {
  return db.transaction().execute((work) => write(work, token, changes, sql`${through}::timestamptz`));
}

/**
 * Declares that nothing more is stored under this token. Publishes "everything": a command may have written unpublished
 * changes.
 */
export async function endLog(db: Db, token: number): Promise<void> {
  await appendToLog(db, token, "everything", STORES_NOTHING_MORE);
}

/** Removes entries older than the longest lag allowed to a follower. */
export async function pruneLog(db: Db): Promise<void> {
  await db
    .deleteFrom("stored_log")
    .where("told_at", "<", sql<Date>`clock_timestamp() - make_interval(secs => ${KEPT_SECONDS})`)
    .execute();
}

/** Writers update the single head row in sequence, so the log is numbered without gaps. */
async function write(
  work: Transaction<RecordsSchema>,
  token: number,
  changes: StoredChanges,
  through: ReturnType<typeof sql>,
): Promise<string> {
  const isMore = changes === "everything" || changes.length > 0;
  const { seq, now } = await work
    .updateTable("stored_head")
    .set((set) => ({ token, told_through: through as never, ...(isMore && { seq: set("seq", "+", 1) }) }))
    .where("name", "=", HEAD)
    .returning(["seq", sql<string>`clock_timestamp()::text`.as("now")])
    .executeTakeFirstOrThrow();
  if (isMore)
    await work
      .insertInto("stored_log")
      .values({ seq, changes: JSON.stringify(changes) })
      .execute();
  return now;
}

/** Reads the log after a sequence number, in one statement for consistency. */
export async function readLog(db: Db, after?: number): Promise<LogPage> {
  const { rows } = await sql<{ seq: number; age_ms: number | null; changes: StoredChanges[] | null }>`
    select h.seq,
      case when h.token <> l.token then null
        when h.told_through = 'infinity' then 0
        else extract(epoch from clock_timestamp() - h.told_through)::float8 * 1000 end as age_ms,
      (select jsonb_agg(g.changes order by g.seq) from stored_log g where g.seq > ${after ?? null}::bigint) as changes
    from stored_head h, leases l where h.name = ${HEAD} and l.name = 'leader'`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("the change log has no head: table stored_head lacks its row");
  const [entries, expected] = [row.changes ?? [], after === undefined ? 0 : row.seq - after];
  return { seq: row.seq, ageMs: row.age_ms ?? undefined, entries: entries.length === expected ? entries : undefined };
}
