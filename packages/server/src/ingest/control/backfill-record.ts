import type { Kysely, Selectable, Transaction } from "kysely";
import type { Span } from "../../definition/spans.ts";
import type { RecordsSchema, SavedPlaceJson } from "../../records/schema.ts";
import { type FillableGap, UNDOING } from "./fill-record.ts";
import { fillEnds } from "./gap-record.ts";

/** Longer ago than a derivation is behind, and as many as a walk that saves every few seconds has in that time. */
const [SAVES_MS, MOST_SAVES] = [120_000, 60];

export type BackfillRow = Selectable<RecordsSchema["backfills"]>;

/** The record of a backfill, made at its first start: a second start of the same range goes on where it was. */
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

/** The record of one that was started. */
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

/** The walks of a stream that were asked for, not those made for gaps. */
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
 * Ends a backfill; the stream's gaps that lie within its range are filled by it, but for those it saw itself and those
 * of rows that are being taken back. One that was made for gaps fills those and leaves no record.
 */
export async function finishBackfill(db: Kysely<RecordsSchema>, range: BackfillRange, now: Date): Promise<void> {
  await db
    .transaction()
    .execute((work) =>
      range.gaps === undefined ? finishAsked(work, range, now) : finishForGaps(work, range, range.gaps, now),
    );
}

async function finishAsked(work: Transaction<RecordsSchema>, range: BackfillRange, now: Date): Promise<void> {
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
  // A long gap is walked from its end in pieces.
  await fillEnds(work, cut, new Date(start), now);
}

/** The next walk of this range for gaps begins anew. */
export async function dropGapWalk(db: Kysely<RecordsSchema>, range: BackfillRange): Promise<void> {
  await db
    .deleteFrom("backfills")
    .where("stream", "=", range.stream)
    .where("range_from", "=", new Date(range.from))
    .where("range_to", "=", new Date(range.to))
    .where("for_gaps", "=", true)
    .execute();
}

/** What a walk holds by now. */
export function heldBy({ range_from: from, range_to: to, finished_at: done, reached }: BackfillRow): Span[] {
  const end = done ? to : reached;
  return end ? [{ from: from.getTime(), to: end.getTime() }] : [];
}

/** Of what a walk holds by now, that which it stored after a moment (Unix ms), as far as its saves tell. */
export function heldSince(row: BackfillRow, moment: number): Span[] {
  if (row.updated_at.getTime() <= moment) return [];
  return heldBy(row).map(({ from, to }) => ({ from: stoodAt(row.saves, moment) ?? from, to }));
}

/** Up to when rows were held at a moment (both Unix ms); undefined where no save is as old. */
export function stoodAt(saves: readonly SavedPlaceJson[] | null, moment: number): number | undefined {
  const before = saves?.findLast(({ at }) => Date.parse(at) <= moment);
  return before && Date.parse(before.reached);
}

/** A walk's saves with one more, without those that no derivation that is in time asks for. */
export function withSave(saves: readonly SavedPlaceJson[], at: Date, reached: string): readonly SavedPlaceJson[] {
  const needed = saves.findLastIndex((save) => at.getTime() - Date.parse(save.at) >= SAVES_MS);
  const kept = saves
    .slice(Math.max(0, needed, saves.length - MOST_SAVES))
    .filter((save) => save.at !== at.toISOString());
  return [...kept, { at: at.toISOString(), reached: new Date(reached).toISOString() }];
}

/** What a walk of a stream's past goes over: ISO, half-open. */
export type BackfillRange = {
  readonly stream: string;
  readonly from: string;
  readonly to: string;
  /** Set for a walk that fills gaps, of the stream itself or of another one. */
  readonly gaps?: readonly FillableGap[];
  /** When this process began it, where that was at its start: all of it before its place was read since. */
  readonly began?: Date;
};

/** Ends the reason of a gap that a backfill itself noticed: finishing it does not fill that gap. */
export function seenBy({ from, to }: Pick<BackfillRange, "from" | "to">): string {
  return ` (seen while backfilling ${from} to ${to})`;
}
