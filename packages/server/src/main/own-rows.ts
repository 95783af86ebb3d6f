import { sql, type Kysely, type Transaction } from "kysely";
import { CommandError } from "../cli/command.ts";
import type { Records } from "../records/records.ts";
import type { RecordsSchema } from "../records/schema.ts";
import { findStoreIds } from "../store/find-store-ids.ts";
import type { OpenStore } from "../store/open-store.ts";

/** An id that no engine gives a table. */
const NONE = "00000000-0000-0000-0000-000000000000";

type Pair = { readonly store: OpenStore; readonly records: Pick<Records, "db"> };

export type OwnRowsWish = {
  /** The process stores rows here, so records not yet bound to a store are bound to this one. Readers bind nothing. */
  readonly isWriter?: boolean;
};

/**
 * Coverage is derived from the records alone: with another store's rows it would call missing data complete. Throws
 * CommandError if the records belong to another store, or a restore into this one was interrupted.
 */
export async function requireOwnRows({ store, records: { db } }: Pair, { isWriter }: OwnRowsWish = {}): Promise<void> {
  const ids = await findStoreIds(store);
  if (!isWriter) return requireAmong(await findBound(db), ids);
  await alone(db, async (work) => {
    requireAmong(await findBound(work), ids);
    await bind(work, ids);
  });
}

function requireAmong(bound: readonly string[], ids: readonly string[]): void {
  if (bound.includes(NONE))
    throw new CommandError(
      1,
      "a restore into this store was interrupted, found differences, or still runs: the rows are incomplete. Run the same command again until it exits with 0, or restore another backup here (almanac restore --overwrite)",
    );
  if (bound.length > 0 && !ids.some((id) => bound.includes(id)))
    throw new CommandError(
      1,
      "these control records belong to another column store than the one that the settings name: name theirs (CLICKHOUSE_URL, or without it ALMANAC_DATA_DIR), or restore its rows here (almanac restore); docs/deploy.md says what to do if they are gone",
    );
}

/** Binds these records to the rows of this store, and of no other. */
export async function bindRows({ store, records: { db } }: Pair): Promise<void> {
  const ids = await findStoreIds(store);
  await alone(db, async (work) => {
    await work.deleteFrom("row_stores").execute();
    await bind(work, ids);
  });
}

/** Unbinds these records from any store until bindRows is called: a restore is under way. */
export async function bindNothing({ records: { db } }: Pick<Pair, "records">): Promise<void> {
  await alone(db, async (work) => {
    await work.deleteFrom("row_stores").execute();
    await bind(work, [NONE]);
  });
}

/** Serialises processes: if two start at once with different stores, the second finds the first one's binding. */
function alone(db: Kysely<RecordsSchema>, work: (work: Transaction<RecordsSchema>) => Promise<void>): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    await sql`lock table row_stores in exclusive mode`.execute(transaction);
    await work(transaction);
  });
}

async function findBound(db: Kysely<RecordsSchema>): Promise<readonly string[]> {
  const rows = await db.selectFrom("row_stores").select("id").execute();
  return rows.map(({ id }) => id);
}

async function bind(work: Transaction<RecordsSchema>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await work
    .insertInto("row_stores")
    .values(ids.map((id) => ({ id })))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}
