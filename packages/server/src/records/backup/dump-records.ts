import type { Kysely, Transaction } from "kysely";
import { sql } from "kysely";
import type { RecordsSchema } from "../schema.ts";
import { describeTable, type RecordSum } from "./describe-records.ts";
import { overSnapshot } from "./over-snapshot.ts";

/** Rows of one table, each as JSON text as PostgreSQL writes it. */
export type RecordPage = { readonly table: string; readonly rows: readonly string[] };

const ROWS_A_PAGE = 1000;
/** A body may be megabytes. */
const PARKED_A_PAGE = 20;

/**
 * Gives every record to `take`, page by page, in an order in which they can be stored again: one snapshot, so cursors,
 * gaps and `through` of derivations belong together. While it runs, embedded records wait for it. Gives what was there.
 */
export function dumpRecords(
  db: Kysely<RecordsSchema>,
  take: (page: RecordPage) => Promise<void> | void,
): Promise<Readonly<Record<string, RecordSum>>> {
  return overSnapshot(db, async (transaction, table) => {
    await dumpTable(transaction, table, take);
    return describeTable(transaction, table);
  });
}

async function dumpTable(
  transaction: Transaction<RecordsSchema>,
  table: string,
  take: (page: RecordPage) => Promise<void> | void,
): Promise<void> {
  const most = sql.lit(table === "parked" ? PARKED_A_PAGE : ROWS_A_PAGE);
  await sql`declare moved cursor for select to_jsonb(t)::text as row from ${sql.id(table)} t`.execute(transaction);
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${most} from moved`.execute(transaction);
    if (rows.length > 0) await take({ table, rows: rows.map(({ row }) => row) });
    if (rows.length < (table === "parked" ? PARKED_A_PAGE : ROWS_A_PAGE)) break;
  }
  await sql`close moved`.execute(transaction);
}
