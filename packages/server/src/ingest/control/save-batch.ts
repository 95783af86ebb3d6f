import { type Kysely, type Transaction, sql, type Selectable } from "kysely";
import type { Batch } from "../../definition/connector.ts";
import type { RecordsSchema, SavedPlaceJson } from "../../records/schema.ts";
import { findBackfill, seenBy, seenIn, withSave, type BackfillRange, stoodAt } from "./backfill-record.ts";
import { openGap } from "./gap-record.ts";
import { closeUndo } from "./undo-record.ts";
import type { Span } from "../../definition/spans.ts";

/** Identical notices within this time (ms) are counted as one. */
const ONE_NOTICE_MS = 3_600_000;

/**
 * Saves, in one transaction, a stream's progress after a stored batch, with its notices and gap. `isLate`: its rows are
 * older than the newest ones, so derived tables may lack some (see lateMs).
 */
export async function saveBatch(
  db: Kysely<RecordsSchema>,
  stream: string,
  batch: Batch,
  stored: number,
  now: Date,
  isLate = false,
): Promise<void> {
  const { reached } = batch;
  await db.transaction().execute(async (work) => {
    const lateSaves =
      isLate && reached !== undefined
        ? withLateSave(await findStream(work, stream), { reached, stored }, now)
        : undefined;
    await saveProgress(work, stream, { ...batch, stored, lateSaves }, now);
    const { gap } = batch;
    if (gap) {
      const { from, to, reason } = gap;
      await openGap(work, { stream: gap.stream ?? stream, from: new Date(from), to: new Date(to), reason }, now);
    }
    await saveNotices(work, stream, batch.notices, now);
    if (batch.isCanonical) await closeUndo(work, { stream }, now);
  });
}

/** A batch whose rows are stored, and how many of them were new. */
export type StoredBatch = { readonly batch: Batch; readonly stored: number };

/** The same for batches of a backfill, which has its own cursor: that of the last batch. */
export async function saveBackfillBatches(
  db: Kysely<RecordsSchema>,
  range: BackfillRange,
  batches: readonly StoredBatch[],
  now: Date,
): Promise<void> {
  const last = batches.at(-1);
  if (last === undefined) return;
  const reached = batches.findLast(({ batch }) => batch.reached !== undefined)?.batch.reached;
  const isCanonical = batches.some(({ batch }) => batch.isCanonical);
  await db.transaction().execute(async (work) => {
    const { saves } = await findBackfill(work, range);
    await work
      .updateTable("backfills")
      .set((set) => ({
        cursor: JSON.stringify(last.batch.cursor),
        ...(reached === undefined ? {} : { reached, saves: JSON.stringify(withSave(saves ?? [], now, reached)) }),
        rows_stored: set(
          "rows_stored",
          "+",
          batches.reduce((sum, { stored }) => sum + stored, 0),
        ),
        updated_at: now,
      }))
      .where("stream", "=", range.stream)
      .where("range_from", "=", new Date(range.from))
      .where("range_to", "=", new Date(range.to))
      .where("for_gaps", "=", range.gaps !== undefined)
      .execute();
    for (const { gap, notices } of batches.map(({ batch }) => batch)) {
      if (gap) await saveHole(work, range, gap, now);
      await saveNotices(work, range.stream, notices, now);
    }
    if (isCanonical) await closeUndo(work, { stream: range.stream, range }, now);
  });
}

/** Data that a backfill lacks becomes a gap of its own; a walk for gaps records only the part within those gaps. */
async function saveHole(
  work: Transaction<RecordsSchema>,
  range: BackfillRange,
  hole: NonNullable<Batch["gap"]>,
  now: Date,
): Promise<void> {
  const { stream, gaps } = range;
  const [from, to] = [Date.parse(hole.from), Date.parse(hole.to)];
  if (gaps === undefined) {
    const reason = `${hole.reason}${seenBy(range)}`;
    await openGap(work, { stream, from: new Date(from), to: new Date(to), reason }, now);
    return;
  }
  for (const gap of gaps) {
    const left = { from: new Date(Math.max(from, gap.from)), to: new Date(Math.min(to, gap.to)) };
    if (left.from > left.to) continue;
    const tried = [...new Set([...gap.tried, stream])];
    const reason = `${hole.reason}${seenIn(gap.reason)}`;
    await openGap(work, { stream: gap.stream, ...left, reason, tried }, now);
  }
}

async function saveNotices(
  work: Transaction<RecordsSchema>,
  stream: string,
  notices: Batch["notices"] = [],
  now: Date,
): Promise<void> {
  for (const { kind, text, count } of notices) {
    const alike = await work
      .updateTable("notices")
      .set((set) => ({ count: set("count", "+", count), noticed_at: now }))
      .where("stream", "=", stream)
      .where("kind", "=", kind)
      .where("text", "=", text)
      .where("noticed_at", ">", new Date(now.getTime() - ONE_NOTICE_MS))
      .executeTakeFirst();
    if (alike.numUpdatedRows > 0n) continue;
    await work.insertInto("notices").values({ stream, kind, text, count, noticed_at: now }).execute();
  }
}

export type StreamRow = Selectable<RecordsSchema["streams"]>;
export type StreamState = "starting" | "running" | "caught_up" | "failing" | "stopped" | "off" | "replaced";

type Db = Kysely<RecordsSchema>;

/** A stream's record; undefined before its first start. */
export function findStream(db: Db, name: string): Promise<StreamRow | undefined> {
  return db.selectFrom("streams").selectAll().where("name", "=", name).executeTakeFirst();
}

/** Saves the state shown to operators and coverage; the first call creates the row. */
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
  readonly lateSaves?: readonly SavedPlaceJson[] | undefined;
};

/** Advances a stream. `since` only moves earlier; fields absent from a batch stay unchanged. */
export async function saveProgress(
  db: Db | Transaction<RecordsSchema>,
  name: string,
  progress: Progress,
  now: Date,
): Promise<void> {
  const moved = {
    ...(progress.cursor === undefined ? {} : { cursor: JSON.stringify(progress.cursor) }),
    ...(progress.reached === undefined ? {} : { reached: progress.reached }),
    ...(progress.lateSaves === undefined ? {} : { late_saves: JSON.stringify(progress.lateSaves) }),
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

/**
 * Adds the save of a batch stored while the stream was behind, preceded by its previous watermark; undefined if the
 * batch brought nothing. Known rows count too if the watermark advances: a process killed before saving it may have
 * just stored them.
 */
export function withLateSave(
  row: StreamRow | undefined,
  { reached, stored }: { readonly reached: string; readonly stored: number },
  at: Date,
): readonly SavedPlaceJson[] | undefined {
  const { late_saves: saves, reached: before, last_ok_at: savedAt } = row ?? {};
  if (stored === 0 && before?.getTime() === Date.parse(reached)) return undefined;
  const known = saves ?? [];
  return withSave(before && savedAt ? withSave(known, savedAt, before.toISOString()) : known, at, reached);
}

/** The part of what a live stream stored while behind that it stored after a time (Unix ms). */
export function lateSince({ late_saves: saves }: Pick<StreamRow, "late_saves">, timestamp: number): Span[] {
  const last = saves?.at(-1);
  if (last === undefined || Date.parse(last.at) <= timestamp) return [];
  return [{ from: stoodAt(saves, timestamp) ?? Number.NEGATIVE_INFINITY, to: Date.parse(last.reached) }];
}
