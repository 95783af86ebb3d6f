import type { Kysely } from "kysely";
import type { Day } from "../../definition/fold.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import { findDerivedThrough, saveDerivedThrough } from "../control/derivation-record.ts";

type Db = Kysely<RecordsSchema>;

/** The last day whose end was worked out for everyone; undefined before the first. */
export async function findClosed(db: Db, fold: string): Promise<Day | undefined> {
  return (await findDerivedThrough(db, `${fold}:closed`))?.toISOString().slice(0, 10);
}

export const saveClosed = (db: Db, fold: string, closed: Day, now: Date): Promise<void> =>
  saveDerivedThrough(db, `${fold}:closed`, new Date(closed), now);

/** Moves the moment on from what it was; false where somebody else moved it meanwhile. */
export async function moveThrough(db: Db, name: string, move: { from: Date; to: Date }, now: Date): Promise<boolean> {
  const done = await db
    .updateTable("derivations")
    .set({ through: move.to, updated_at: now })
    .where("name", "=", name)
    .where("through", "=", move.from)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

/**
 * Says that what was stored from a moment on is not worked out: whoever works the fold out does it, now or at its next
 * start. It always leaves a mark, so that nobody who counted on an earlier one moves on. Nothing is written where the
 * fold was never worked out: then all of it is to be done anyway.
 */
export async function lowerThrough(db: Db, name: string, to: Date, now: Date): Promise<void> {
  for (;;) {
    const from = await findDerivedThrough(db, name);
    if (from === undefined) return;
    const lower = new Date(Math.min(from.getTime(), to.getTime()) - 1);
    if (await moveThrough(db, name, { from, to: lower }, now)) return;
  }
}
