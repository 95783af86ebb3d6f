import type { Kysely } from "kysely";
import type { Day } from "../../definition/fold.ts";
import type { RecordsSchema, UnfinishedRunJson } from "../../records/schema.ts";
import { STAMP_MARGIN_MS } from "../moments.ts";

type Db = Kysely<RecordsSchema>;

/** The moment up to which everything stored was worked out; undefined before the first run. */
export async function findDerivedThrough(db: Db, name: string): Promise<Date | undefined> {
  const row = await db.selectFrom("derivations").select("through").where("name", "=", name).executeTakeFirst();
  return row?.through ?? undefined;
}

/** Of a run that ended: what was cut off before it is done. */
export const saveDerivedThrough = (db: Db, name: string, through: Date, now: Date): Promise<void> =>
  save(db, name, { through, updated_at: now, unfinished: null });

/**
 * Moves the moment on from what it was, undefined where there was none; false where somebody else moved it meanwhile.
 * A run over everything that was cut off is still to be gone on with.
 */
export async function moveThrough(
  db: Db,
  name: string,
  { from, to }: { readonly from: Date | undefined; readonly to: Date },
  now: Date,
): Promise<boolean> {
  const state = { through: to, updated_at: now };
  if (from === undefined) {
    await save(db, name, state);
    return true;
  }
  const move = db.updateTable("derivations").set(state).where("name", "=", name).where("through", "=", from);
  return (await move.executeTakeFirst()).numUpdatedRows > 0n;
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

/** The last day whose end a fold worked out for everyone; undefined before the first. */
export async function findClosed(db: Db, fold: string): Promise<Day | undefined> {
  return (await findDerivedThrough(db, `${fold}:closed`))?.toISOString().slice(0, 10);
}

export const saveClosed = (db: Db, fold: string, closed: Day, now: Date): Promise<void> =>
  saveDerivedThrough(db, `${fold}:closed`, new Date(closed), now);

async function save(
  db: Db,
  name: string,
  state: { readonly through: Date; readonly updated_at: Date; readonly unfinished?: null },
): Promise<void> {
  await db
    .insertInto("derivations")
    .values({ name, ...state })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(state))
    .execute();
}

/** How far a run over everything came that was cut off; undefined where the last one ended. */
export async function findUnfinished(db: Db, name: string): Promise<UnfinishedRunJson | undefined> {
  const row = await db.selectFrom("derivations").select("unfinished").where("name", "=", name).executeTakeFirst();
  return row?.unfinished ?? undefined;
}

/** For who goes on with it: `saveDerivedThrough` says that it ended. */
export async function saveUnfinished(db: Db, name: string, run: UnfinishedRunJson, now: Date): Promise<void> {
  const unfinished = JSON.stringify(run);
  await db
    .insertInto("derivations")
    .values({ name, through: null, updated_at: now, unfinished })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ unfinished, updated_at: now }))
    .execute();
}

/**
 * The moment (Unix ms) before which everything that other derivations made was worked out; 0 where that is not known.
 * `findDerivedThrough` keeps a margin, because a row is stamped before it can be read. A run that works everything out
 * after what it reads has been made needs none: within it lies much of what was made.
 */
export async function findMadeThrough(db: Db, name: string): Promise<number> {
  return (await findDerivedThrough(db, madeName(name)))?.getTime() ?? 0;
}

/** Nothing is written after a short run: a process whose clock is behind could have stamped rows since as of before it. */
export async function saveMadeThrough(
  db: Db,
  name: string,
  run: { readonly began: number; readonly ended: number },
): Promise<void> {
  if (run.ended - run.began < STAMP_MARGIN_MS) return;
  await saveDerivedThrough(db, madeName(name), new Date(run.began), new Date(run.ended));
}

const madeName = (name: string): string => `${name}:made`;
