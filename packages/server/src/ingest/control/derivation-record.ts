import type { Kysely } from "kysely";
import type { Day } from "../../definition/fold.ts";
import type { RecordsSchema, UnfinishedRunJson } from "../../records/schema.ts";
import { STAMP_MARGIN_MS } from "../timestamps.ts";

type Db = Kysely<RecordsSchema>;

/** Watermark: everything stored up to this time is derived; undefined before the first run. */
export async function findDerivedThrough(db: Db, name: string): Promise<Date | undefined> {
  const row = await db.selectFrom("derivations").select("through").where("name", "=", name).executeTakeFirst();
  return row?.through ?? undefined;
}

/** Saves the watermark of a completed run and clears any interrupted full run. */
export const saveDerivedThrough = (db: Db, name: string, through: Date, now: Date): Promise<void> =>
  save(db, name, { through, updated_at: now, unfinished: null });

/**
 * Advances the watermark from its expected value (undefined if absent); returns false if another process moved it
 * meanwhile. An interrupted full run is still to be resumed.
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
 * Lowers a fold's watermark: rows stored from this time on are to be folded, now or at the fold's next start. It always
 * changes the value, so that a process relying on the earlier one fails to advance it. Writes nothing if the fold never
 * ran: then everything is to be done anyway.
 */
export async function lowerThrough(db: Db, name: string, to: Date, now: Date): Promise<void> {
  for (;;) {
    const from = await findDerivedThrough(db, name);
    if (from === undefined) return;
    const lower = new Date(Math.min(from.getTime(), to.getTime()) - 1);
    if (await moveThrough(db, name, { from, to: lower }, now)) return;
  }
}

/** The last day a fold closed for all keys; undefined before the first. */
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

/** Progress of an interrupted full run; undefined if the last one completed. */
export async function findUnfinished(db: Db, name: string): Promise<UnfinishedRunJson | undefined> {
  const row = await db.selectFrom("derivations").select("unfinished").where("name", "=", name).executeTakeFirst();
  return row?.unfinished ?? undefined;
}

/** Saves progress for resuming; `saveDerivedThrough` marks the run as completed. */
export async function saveUnfinished(db: Db, name: string, run: UnfinishedRunJson, now: Date): Promise<void> {
  const unfinished = JSON.stringify(run);
  await db
    .insertInto("derivations")
    .values({ name, through: null, updated_at: now, unfinished })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ unfinished, updated_at: now }))
    .execute();
}

/**
 * The time (Unix ms) before which all rows made by other derivations are derived from; 0 if unknown.
 * `findDerivedThrough` keeps a margin, because a row is stamped before it can be read; a full run after its sources
 * were made needs no margin, which would contain many of their rows.
 */
export async function findMadeThrough(db: Db, name: string): Promise<number> {
  return (await findDerivedThrough(db, madeName(name)))?.getTime() ?? 0;
}

/** Writes nothing after a short run: a process with a slow clock could since have stamped rows before its start. */
export async function saveMadeThrough(
  db: Db,
  name: string,
  run: { readonly began: number; readonly ended: number },
): Promise<void> {
  if (run.ended - run.began < STAMP_MARGIN_MS) return;
  await saveDerivedThrough(db, madeName(name), new Date(run.began), new Date(run.ended));
}

const madeName = (name: string): string => `${name}:made`;
