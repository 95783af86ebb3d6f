import { type Kysely, sql, type Transaction } from "kysely";
import type { RecordsSchema } from "../schema.ts";
import type { RecordPage } from "./dump-records.ts";
import { findMovedTables, type MovedTable } from "./moved-tables.ts";

type Pages = AsyncIterable<RecordPage> | Iterable<RecordPage>;

/**
 * Replaces all records in one transaction, all or nothing. Returns the rows of each table. Throws for a page of an
 * unknown table.
 */
export async function loadRecords(db: Kysely<RecordsSchema>, pages: Pages): Promise<Readonly<Record<string, number>>> {
  return await db.transaction().execute(async (transaction) => {
    const tables = await findMovedTables(transaction);
    for (const { name } of tables.toReversed()) await sql`delete from ${sql.id(name)}`.execute(transaction);
    const counts = await insertPages(transaction, tables, pages);
    for (const { name } of tables) await goOnCounting(transaction, name);
    return counts;
  });
}

/** Rows of a self-referencing table are inserted by one statement: a key may be replaced by a later one. */
async function insertPages(
  transaction: Transaction<RecordsSchema>,
  tables: readonly MovedTable[],
  pages: Pages,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = Object.fromEntries(tables.map(({ name }) => [name, 0]));
  let held: { table: string; rows: string[] } = { table: "", rows: [] };
  const flush = async (): Promise<void> => {
    if (held.rows.length > 0) await insert(transaction, held);
    held = { table: "", rows: [] };
  };
  for await (const { table, rows } of pages) {
    const known = tables.find(({ name }) => name === table);
    if (known === undefined) throw new Error(`there are records of ${table}, which this program does not know`);
    if (held.table !== table) await flush();
    held = { table, rows: [...held.rows, ...rows] };
    if (!known.pointsAtItself) await flush();
    counts[table] = (counts[table] ?? 0) + rows.length;
  }
  await flush();
  return counts;
}

async function insert(transaction: Transaction<RecordsSchema>, { table, rows }: RecordPage): Promise<void> {
  const name = sql.id(table);
  await sql`insert into ${name} overriding system value
    select * from jsonb_populate_recordset(null::${name}, ${`[${rows.join(",")}]`}::text::jsonb)`.execute(transaction);
}

/** Advances identity sequences beyond the loaded values. */
async function goOnCounting(transaction: Transaction<RecordsSchema>, table: string): Promise<void> {
  const { rows } = await sql<{ column_name: string }>`
    select column_name::text as column_name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_identity = 'YES'`.execute(transaction);
  for (const { column_name: column } of rows) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), (select coalesce(max(${sql.id(column)}), 0) + 1 from ${sql.id(table)}), false)`.execute(
      transaction,
    );
  }
}
