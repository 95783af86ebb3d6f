import { sql, type Kysely, type Transaction } from "kysely";
import type { RecordsSchema, StoredChanges } from "../../records/schema.ts";

type Db = Kysely<RecordsSchema>;

/** The log as it was at one moment. */
export type LogPage = {
  readonly seq: number;
  /** Milliseconds since the leader had published all that it stored; undefined where the present one has published nothing yet. */
  readonly ageMs: number | undefined;
  /** Entries after the number asked for; undefined where some of them are gone. */
  readonly entries: readonly StoredChanges[] | undefined;
};

const HEAD = "leader";
const KEPT_SECONDS = 3600;
const STORES_NOTHING_MORE = "infinity";

/**
 * Begins to publish under a lease. A leader before that did not end its log may have stored changes that it never
 * published. Returns the moment, by the records' clock.
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

/** Appends changes, after which the log has all that was stored before `through`. Returns the moment. */
export function appendToLog(db: Db, token: number, changes: StoredChanges, through: string): Promise<string> {
  return db.transaction().execute((work) => write(work, token, changes, sql`${through}::timestamptz`));
}

/** Nothing more is stored under this token. A command may have written by statements of its own, which are not published. */
export async function endLog(db: Db, token: number): Promise<void> {
  await appendToLog(db, token, "everything", STORES_NOTHING_MORE);
}

/** Removes entries that are older than what a follower may lag behind. */
export async function pruneLog(db: Db): Promise<void> {
  await db
    .deleteFrom("stored_log")
    .where("told_at", "<", sql<Date>`clock_timestamp() - make_interval(secs => ${KEPT_SECONDS})`)
    .execute();
}

/** Writers update the one row of the head one after the other, so that the log is numbered without holes. */
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

/** The log after a number, in one statement: of one moment. */
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
