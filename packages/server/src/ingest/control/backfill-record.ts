import type { Kysely, Selectable, Transaction } from "kysely";
import type { Span } from "../../definition/spans.ts";
import type { RecordsSchema, SavedPlaceJson } from "../../records/schema.ts";
import { type FillableGap, UNDOING } from "./fill-record.ts";
import { fillEnds } from "./gap-record.ts";

/** Longer than a derivation lags, and as many saves as a walk makes in that time. */
const [SAVES_MS, MAX_SAVES] = [120_000, 60];

export type BackfillRow = Selectable<RecordsSchema["backfills"]>;

/** Returns a backfill's record, created at its first start: a second start of the same range resumes it. */
export async function openBackfill(db: Kysely<RecordsSchema>, range: BackfillRange, now: Date): Promise<BackfillRow> {
  await db
    .insertInto("backfills")
    .values({
      stream: range.stream,
      range_from: new Date(range.from),
      range_to: new Date(range.to),
      for_gaps: range.gaps !== undefined,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(["stream", "range_from", "range_to", "for_gaps"]).doNothing())
    .execute();
  return findBackfill(db, range);
}

/** The record of a started backfill. */
export function findBackfill(db: Kysely<RecordsSchema>, range: BackfillRange): Promise<BackfillRow> {
  return db
    .selectFrom("backfills")
    .selectAll()
    .where("stream", "=", range.stream)
    .where("range_from", "=", new Date(range.from))
    .where("range_to", "=", new Date(range.to))
    .where("for_gaps", "=", range.gaps !== undefined)
    .executeTakeFirstOrThrow();
}

/** A stream's requested backfills, without those made for gaps. */
export function findBackfills(db: Kysely<RecordsSchema>, stream: string): Promise<BackfillRow[]> {
  return db
    .selectFrom("backfills")
    .selectAll()
    .where("stream", "=", stream)
    .where("for_gaps", "=", false)
    .orderBy("id")
    .execute();
}

/**
 * Ends a backfill: it fills the stream's gaps within its range, except those it found itself and those of rows being
 * rolled back. A walk made for gaps fills those and deletes its record.
 */
export async function finishBackfill(db: Kysely<RecordsSchema>, range: BackfillRange, now: Date): Promise<void> {
  await db
    .transaction()
    .execute((work) =>
      range.gaps === undefined ? finishRequested(work, range, now) : finishForGaps(work, range, range.gaps, now),
    );
}

async function finishRequested(work: Transaction<RecordsSchema>, range: BackfillRange, now: Date): Promise<void> {
  await work
    .updateTable("backfills")
    .set({ finished_at: now, updated_at: now })
    .where("stream", "=", range.stream)
    .where("range_from", "=", new Date(range.from))
    .where("range_to", "=", new Date(range.to))
    .where("for_gaps", "=", false)
    .execute();
  await work
    .updateTable("gaps")
    .set({ filled_at: now })
    .where("stream", "=", range.stream)
    .where("filled_at", "is", null)
    .where("reason", "not like", `%${seenBy(range)}`)
    .where("unfillable", "is distinct from", UNDOING)
    .where("parked_id", "is", null)
    .where("from_at", ">=", new Date(range.from))
    .where("to_at", "<=", new Date(range.to))
    .execute();
}

async function finishForGaps(
  work: Transaction<RecordsSchema>,
  range: BackfillRange,
  gaps: readonly FillableGap[],
  now: Date,
): Promise<void> {
  await dropGapWalk(work, range);
  const start = Date.parse(range.from);
  const isLeft = (gap: FillableGap): boolean => gap.from < start;
  const walked = gaps.filter(({ isParked }) => !isParked);
  const whole = walked.filter((gap) => !isLeft(gap)).map(({ id }) => id);
  const cut = walked.filter(isLeft).map(({ id }) => id);
  if (whole.length > 0) await work.updateTable("gaps").set({ filled_at: now }).where("id", "in", whole).execute();
  // A long gap is walked in pieces, from its end.
  await fillEnds(work, cut, new Date(start), now);
}

/** Deletes a gap walk's record, so that its next walk starts from scratch. */
export async function dropGapWalk(db: Kysely<RecordsSchema>, range: BackfillRange): Promise<void> {
  await db
    .deleteFrom("backfills")
    .where("stream", "=", range.stream)
    .where("range_from", "=", new Date(range.from))
    .where("range_to", "=", new Date(range.to))
    .where("for_gaps", "=", true)
    .execute();
}

/** Spans (Unix ms) that a walk covers so far. */
export function heldBy({ range_from: from, range_to: to, finished_at: done, reached }: BackfillRow): Span[] {
  const end = done ? to : reached;
  return end ? [{ from: from.getTime(), to: end.getTime() }] : [];
}

/** The part of a walk's span that was stored after a time (Unix ms), as far as its saves show. */
export function heldSince(row: BackfillRow, timestamp: number): Span[] {
  if (row.updated_at.getTime() <= timestamp) return [];
  return heldBy(row).map(({ from, to }) => ({ from: stoodAt(row.saves, timestamp) ?? from, to }));
}

/** Watermark at a time (both Unix ms); undefined if no save is that old. */
export function stoodAt(saves: readonly SavedPlaceJson[] | null, timestamp: number): number | undefined {
  const before = saves?.findLast(({ at }) => Date.parse(at) <= timestamp);
  return before && Date.parse(before.reached);
}

/** Adds a save and drops those too old for any derivation that keeps up. */
export function withSave(saves: readonly SavedPlaceJson[], at: Date, reached: string): readonly SavedPlaceJson[] {
  const needed = saves.findLastIndex((save) => at.getTime() - Date.parse(save.at) >= SAVES_MS);
  const kept = saves
    .slice(Math.max(0, needed, saves.length - MAX_SAVES))
    .filter((save) => save.at !== at.toISOString());
  return [...kept, { at: at.toISOString(), reached: new Date(reached).toISOString() }];
}

/** Range of a backfill: ISO, half-open. */
export type BackfillRange = {
  readonly stream: string;
  readonly from: string;
  readonly to: string;
  /** Set for a walk that fills gaps of this or another stream. */
  readonly gaps?: readonly FillableGap[];
  /** Set if this process began the walk from its start: everything before its cursor was read since then. */
  readonly began?: Date;
};

/** Suffix of the reason of a gap found by the backfill itself: finishing it does not fill that gap. */
export function seenBy({ from, to }: Pick<BackfillRange, "from" | "to">): string {
  return ` (seen while backfilling ${from} to ${to})`;
}

/** That suffix of a reason; empty if it has none. What replaces the gap keeps it. */
export function seenIn(reason: string): string {
  return / \(seen while backfilling \S+ to \S+\)$/.exec(reason)?.[0] ?? "";
}
