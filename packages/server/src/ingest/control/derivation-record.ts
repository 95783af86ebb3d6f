import type { Kysely } from "kysely";
import type { RecordsSchema, UnfinishedRunJson } from "../../records/schema.ts";
import { STAMP_MARGIN_MS } from "../stamp-margin.ts";

/** The moment up to which everything stored was worked out; undefined before the first run. */
export async function findDerivedThrough(db: Kysely<RecordsSchema>, name: string): Promise<Date | undefined> {
  const row = await db.selectFrom("derivations").select("through").where("name", "=", name).executeTakeFirst();
  return row?.through ?? undefined;
}

/** Of a run that ended: what was cut off before it is done. */
export const saveDerivedThrough = (db: Kysely<RecordsSchema>, name: string, through: Date, now: Date): Promise<void> =>
  save(db, name, { through, updated_at: now, unfinished: null });

/** Of what was stored meanwhile: a run over everything that was cut off is still to be gone on with. */
export const moveDerivedThrough = (db: Kysely<RecordsSchema>, name: string, through: Date, now: Date): Promise<void> =>
  save(db, name, { through, updated_at: now });

async function save(
  db: Kysely<RecordsSchema>,
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
export async function findUnfinished(db: Kysely<RecordsSchema>, name: string): Promise<UnfinishedRunJson | undefined> {
  const row = await db.selectFrom("derivations").select("unfinished").where("name", "=", name).executeTakeFirst();
  return row?.unfinished ?? undefined;
}

/** For who goes on with it: `saveDerivedThrough` says that it ended. */
export async function saveUnfinished(
  db: Kysely<RecordsSchema>,
  name: string,
  run: UnfinishedRunJson,
  now: Date,
): Promise<void> {
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
export async function findMadeThrough(db: Kysely<RecordsSchema>, name: string): Promise<number> {
  return (await findDerivedThrough(db, madeName(name)))?.getTime() ?? 0;
}

/** Nothing is written after a short run: a process whose clock is behind could have stamped rows since as of before it. */
export async function saveMadeThrough(
  db: Kysely<RecordsSchema>,
  name: string,
  run: { readonly began: number; readonly ended: number },
): Promise<void> {
  if (run.ended - run.began < STAMP_MARGIN_MS) return;
  await saveDerivedThrough(db, madeName(name), new Date(run.began), new Date(run.ended));
}

const madeName = (name: string): string => `${name}:made`;
