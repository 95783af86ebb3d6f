import { sql, type Kysely, type Transaction } from "kysely";
import type { RecordsSchema, StoredChanges } from "../../records/schema.ts";

type Db = Kysely<RecordsSchema>;

/** What the records say of the log at one moment. */
export type LogPage = {
  readonly seq: number;
  /** Milliseconds since the leader had told all that it stored; undefined where who leads now tells nothing yet. */
  readonly ageMs: number | undefined;
  /** What was told after the number asked for; undefined where a part of it is gone. */
  readonly told: readonly StoredChanges[] | undefined;
};

const HEAD = "leader";
const KEPT_SECONDS = 3600;
const STORES_NOTHING_MORE = "infinity";

/**
 * Begins to tell under a lease: where the leader before did not end by saying that it stored nothing more, it may have
 * stored what it never told. Gives the moment, by the records' clock.
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

/** Tells what was stored, all of it that was stored before `through`. Gives the moment. */
export function tellLog(db: Db, token: number, changes: StoredChanges, through: string): Promise<string> {
  return db.transaction().execute((work) => write(work, token, changes, sql`${through}::timestamptz`));
}

/** Nothing more is stored under this token. What a command wrote by statements of its own was told by nobody. */
export async function endLog(db: Db, token: number): Promise<void> {
  await tellLog(db, token, "everything", STORES_NOTHING_MORE);
}

/** What was told so long ago that nobody waits for it. */
export async function pruneLog(db: Db): Promise<void> {
  await db
    .deleteFrom("stored_log")
    .where("told_at", "<", sql<Date>`clock_timestamp() - make_interval(secs => ${KEPT_SECONDS})`)
    .execute();
}

/** One row of the head, which its writers change one after the other, numbers the log without holes. */
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
  if (row === undefined) throw new Error("the records say nothing of the log of what was stored");
  const [told, missing] = [row.changes ?? [], after === undefined ? 0 : row.seq - after];
  return { seq: row.seq, ageMs: row.age_ms ?? undefined, told: told.length === missing ? told : undefined };
}
