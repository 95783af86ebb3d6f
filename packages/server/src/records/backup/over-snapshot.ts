import { sql, type Kysely, type Transaction } from "kysely";
import type { RecordsSchema } from "../schema.ts";
import type { RecordSum } from "./describe-records.ts";
import { findMovedTables } from "./moved-tables.ts";

/** Calls `visit` with each table that is moved, all in one snapshot whose times are printed in UTC. */
export function overSnapshot(
  db: Kysely<RecordsSchema>,
  visit: (transaction: Transaction<RecordsSchema>, table: string) => Promise<RecordSum>,
): Promise<Readonly<Record<string, RecordSum>>> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (transaction) => {
      await sql`set local timezone = 'UTC'`.execute(transaction);
      const sums: Record<string, RecordSum> = {};
      for (const { name } of await findMovedTables(transaction)) sums[name] = await visit(transaction, name);
      return sums;
    });
}
