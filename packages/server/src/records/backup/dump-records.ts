import { type Kysely, type Transaction, sql } from "kysely";
import type { RecordsSchema } from "../schema.ts";
import { findMovedTables } from "./moved-tables.ts";

/** Rows of one table, each as JSON text as PostgreSQL writes it. */
export type RecordPage = { readonly table: string; readonly rows: readonly string[] };

const ROWS_A_PAGE = 1000;
/** A parked body may be megabytes. */
const PARKED_A_PAGE = 20;

/**
 * Passes every record to `take`, page by page, in insertable order: one snapshot, so that cursors, gaps and `through`
 * of derivations are consistent. Blocks embedded records meanwhile. Returns row counts and checksums.
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

/** Number of rows of a table and an order-independent SHA-256 of their content. */
export type RecordSum = { readonly rows: number; readonly sha256: string };

/** Row counts and checksums by table, in one snapshot: equal for two databases with the same records. */
export function describeRecords(db: Kysely<RecordsSchema>): Promise<Readonly<Record<string, RecordSum>>> {
  return overSnapshot(db, describeTable);
}

/** Describes one table, in a transaction whose time zone is UTC. */
export async function describeTable(transaction: Transaction<RecordsSchema>, table: string): Promise<RecordSum> {
  const { rows } = await sql<RecordSum>`
    select count(*)::int as rows, encode(sha256(convert_to(coalesce(string_agg(d, '' order by d), ''), 'UTF8')), 'hex') as sha256
    from (select encode(sha256(convert_to(to_jsonb(t)::text, 'UTF8')), 'hex') as d from ${sql.id(table)} t) as each`.execute(
    transaction,
  );
  return rows[0] ?? { rows: 0, sha256: "" };
}

/** Whether there are user-made or collected records: accounts, or streams with a cursor. */
export async function hasRecords(db: Kysely<RecordsSchema>): Promise<boolean> {
  const { rows } = await sql<{ is_held: boolean }>`
    select exists (select 1 from accounts) or exists (select 1 from streams where cursor is not null) as is_held`.execute(
    db,
  );
  return rows[0]?.is_held === true;
}

/** Calls `visit` with each table to be copied, all in one snapshot whose times are printed in UTC. */
function overSnapshot(
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
