import { sql, type Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

type Db = Kysely<RecordsSchema>;
export type NewGap = {
  readonly stream: string;
  readonly instrument?: string;
  readonly from: Date;
  /** Absent while ongoing. */
  readonly to?: Date;
  readonly reason: string;
  /** Streams that walked it without finding the missing data. */
  readonly tried?: readonly string[];
};

/** Records a gap and returns its id; an identical open gap is reused. */
export async function openGap(db: Db, gap: NewGap, now: Date): Promise<number> {
  const { stream, instrument = null, from, to = null, reason, tried = [] } = gap;
  const alike = await db
    .selectFrom("gaps")
    .select("id")
    .where("stream", "=", stream)
    .where("filled_at", "is", null)
    .where("from_at", "=", from)
    .where(sql<boolean>`to_at is not distinct from ${to}::timestamptz`)
    .where(sql<boolean>`instrument is not distinct from ${instrument}::text`)
    .where("reason", "=", reason)
    .where(sql<boolean>`tried = ${tried}::text[]`)
    .executeTakeFirst();
  if (alike) return alike.id;
  const { id } = await db
    .insertInto("gaps")
    .values({ stream, instrument, from_at: from, to_at: to, reason, tried, opened_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Ends ongoing gaps; what was missed in them stays missing. */
export async function closeGaps(db: Db, ids: readonly number[], to: Date): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("gaps")
    .set({ to_at: sql<Date>`greatest(from_at, ${to}::timestamptz)` })
    .where("id", "in", ids)
    .where("to_at", "is", null)
    .execute();
}

/** Moves the start of gaps to an earlier time. */
export async function beginGapsEarlier(db: Db, ids: readonly number[], from: Date): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("gaps")
    .set({ from_at: sql<Date>`least(from_at, ${from}::timestamptz)` })
    .where("id", "in", ids)
    .execute();
}

/**
 * Splits gaps that were walked from a time on: the part before it stays open, and the rest becomes a filled gap, so
 * that coverage knows when it was filled.
 */
export async function fillEnds(db: Db, ids: readonly number[], from: Date, now: Date): Promise<void> {
  if (ids.length === 0) return;
  await db
    .insertInto("gaps")
    .columns(["stream", "instrument", "from_at", "to_at", "reason", "opened_at", "filled_at", "alike"])
    .expression((build) =>
      build
        .selectFrom("gaps")
        .select(["stream", "instrument", sql<Date>`${from}::timestamptz`.as("from_at"), "to_at", "reason", "opened_at"])
        .select([sql<Date>`${now}::timestamptz`.as("filled_at"), "alike"])
        .where("id", "in", ids),
    )
    .execute();
  await db.updateTable("gaps").set({ to_at: from, attempts: 0, retry_at: null }).where("id", "in", ids).execute();
}

/** When the last gap of the entire stream ended. */
export async function findLastGapEnd(db: Db, stream: string): Promise<Date | undefined> {
  const { last } = await db
    .selectFrom("gaps")
    .select(sql<Date | null>`max(to_at)`.as("last"))
    .where("stream", "=", stream)
    .where("instrument", "is", null)
    .executeTakeFirstOrThrow();
  return last ?? undefined;
}

/** Ids of ongoing gaps, e.g. of an interrupted run. */
export async function findLastingGaps(db: Db, stream: string, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom("gaps")
    .select("id")
    .where("stream", "=", stream)
    .where("to_at", "is", null)
    .where("filled_at", "is", null)
    .where("from_at", "<=", now)
    .limit(10_000)
    .execute();
  return rows.map(({ id }) => id);
}

const CORRECTED_MS = 86_400_000;

/**
 * Corrects times taken from a machine clock that was slow by `byMs` until it showed `until` (Unix ms): ends of the
 * stream's gaps and start times of followed instruments move later. How long the clock was slow is unknown, so the day
 * before is corrected; if it was right for a part of that, too much is declared missing, never too little.
 */
export async function correctSlowClock(
  db: Kysely<RecordsSchema>,
  stream: string,
  { byMs, until }: { readonly byMs: number; readonly until: number },
): Promise<void> {
  const [first, last] = [new Date(until - CORRECTED_MS), new Date(until)];
  // One transaction: a retry after a partial failure would move the first table's times twice.
  await db.transaction().execute(async (work) => {
    for (const [table, column] of [
      ["gaps", "to_at"],
      ["followed", "since"],
    ] as const) {
      const timestamp = sql.ref(column);
      await sql`update ${sql.table(table)} set ${timestamp} = least(${timestamp} + ${byMs} * interval '1 millisecond', ${last}::timestamptz)
where stream = ${stream} and ${timestamp} >= ${first}::timestamptz and ${timestamp} < ${last}::timestamptz`.execute(
        work,
      );
    }
  });
}
