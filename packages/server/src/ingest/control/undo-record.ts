import type { Kysely, Transaction } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import { seenBy, type BackfillRange } from "./backfill-record.ts";
import { UNDOING } from "./fill-record.ts";

type Db = Kysely<RecordsSchema> | Transaction<RecordsSchema>;
/** The walk that rolls back: a stream's live one, or a backfill over a range. */
export type Undoer = { readonly stream: string; readonly range?: Pick<BackfillRange, "from" | "to" | "began"> };
export type UndoneSpan = { readonly from: Date; readonly to: Date };

const LIVE = "The chain was reorganised: rows of blocks that are no more are being taken back.";
const BACKFILL = "The chain was reorganised: a backfill takes back rows of blocks that are no more.";

const reasonOf = ({ range }: Undoer): string => (range ? `${BACKFILL}${seenBy(range)}` : LIVE);
/** Matches all backfills of a stream, or its live walk. */
const reasonLike = ({ range }: Undoer): string => (range ? `${BACKFILL}%` : LIVE);

/** Records, before the first row is removed, the span of rows about to be rolled back: a gap until `closeUndo`. */
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

/** Spans rolled back by unfinished walks: the live one, or all backfills. */
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
 * Closes the spans of a finished walk: what it read again is stored. A backfill also closes spans that others left
 * within its range before it began.
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

/** Spans of all streams with rows rolled back since a time: rows derived from them are to be removed. */
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
