import { sql, type Kysely, type Transaction } from "kysely";
import type { TableDefinition } from "../../definition/table.ts";
import type { RecordsSchema } from "../../records/schema.ts";

type Db = Kysely<RecordsSchema> | Transaction<RecordsSchema>;

const KEPT = sql<Date>`now() - interval '30 days'`;
const MOST = 10_000;

/**
 * Says to the process that derives what it cannot find out from the store: between which moments (Unix ms) rows of a
 * table gave way to others, or came to be there long after they were stamped.
 */
export async function noteOutdated(db: Db, table: string, span: { readonly from: number; readonly to: number }) {
  const values = { table_name: table, from_at: new Date(span.from), to_at: new Date(span.to) };
  await db.insertInto("outdated_spans").values(values).execute();
  await db.deleteFrom("outdated_spans").where("noted_at", "<", KEPT).execute();
}

/** What was noted since a moment, of these tables. */
export async function findOutdatedSince(db: Db, since: Date, tables: readonly TableDefinition[]) {
  return await db
    .selectFrom("outdated_spans")
    .select(["from_at", "to_at"])
    .where("noted_at", ">=", since)
    .where(
      "table_name",
      "in",
      tables.map(({ name }) => name),
    )
    .limit(MOST)
    .execute();
}
