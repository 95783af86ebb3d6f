import type { Kysely, Transaction } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import { seenBy, type BackfillRange } from "./backfill-record.ts";
import { UNDOING } from "./fill-record.ts";

type Db = Kysely<RecordsSchema> | Transaction<RecordsSchema>;
/** Whose walk undoes: a stream's live one, or a backfill of it over a range. */
export type Undoer = { readonly stream: string; readonly range?: Pick<BackfillRange, "from" | "to" | "began"> };
export type UndoneSpan = { readonly from: Date; readonly to: Date };

const LIVE = "The chain was reorganised: rows of blocks that are no more are being taken back.";
const BACKFILL = "The chain was reorganised: a backfill takes back rows of blocks that are no more.";

const reasonOf = ({ range }: Undoer): string => (range ? `${BACKFILL}${seenBy(range)}` : LIVE);
/** Of all backfills of a stream, or of its live walk. */
const reasonLike = ({ range }: Undoer): string => (range ? `${BACKFILL}%` : LIVE);

/** Writes down, before the first row goes, of which time rows are about to be taken back: a gap until `closeUndo`. */
export async function openUndo(db: Db, undoer: Undoer, span: UndoneSpan, now: Date): Promise<void> {
  await db
    .insertInto("gaps")
    .values({
      stream: undoer.stream,
      from_at: span.from,
      to_at: span.to,
      reason: reasonOf(undoer),
      unfillable: UNDOING,
      opened_at: now,
    })
    .execute();
}

/** The spans of walks that have not come to their end: of the live one, or of all backfills. */
export async function findOpenUndo(db: Db, undoer: Undoer): Promise<readonly UndoneSpan[]> {
  const rows = await db
    .selectFrom("gaps")
    .select(["from_at", "to_at"])
    .where("stream", "=", undoer.stream)
    .where("reason", "like", reasonLike(undoer))
    .where("filled_at", "is", null)
    .execute();
  return rows.map(toSpan);
}

/**
 * The walk is through: what it read again is stored. A backfill closes its own spans, and those that others left within
 * its range before it began.
 */
export async function closeUndo(db: Db, undoer: Undoer, now: Date): Promise<void> {
  const { stream, range } = undoer;
  await db
    .updateTable("gaps")
    .set({ filled_at: now })
    .where("stream", "=", stream)
    .where("filled_at", "is", null)
    .where((gap) => {
      const own = gap("reason", "=", reasonOf(undoer));
      if (range?.began === undefined) return own;
      const left = gap.and([
        gap("reason", "like", reasonLike(undoer)),
        gap("opened_at", "<", range.began),
        gap("from_at", ">=", new Date(range.from)),
        gap("to_at", "<=", new Date(range.to)),
      ]);
      return gap.or([own, left]);
    })
    .execute();
}

/** The spans of all streams in which rows were taken back since a moment: what was worked out from them is to go. */
export async function findUndoneSince(db: Db, since: Date): Promise<readonly UndoneSpan[]> {
  const rows = await db
    .selectFrom("gaps")
    .select(["from_at", "to_at"])
    .where("unfillable", "=", UNDOING)
    .where((gap) => gap.or([gap("opened_at", ">=", since), gap("filled_at", ">=", since)]))
    .execute();
  return rows.map(toSpan);
}

function toSpan({ from_at, to_at }: { from_at: Date; to_at: Date | null }): UndoneSpan {
  return { from: from_at, to: to_at ?? from_at };
}
