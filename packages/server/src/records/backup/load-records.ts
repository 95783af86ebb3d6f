import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import { apply, makeJournal, readMigrations } from "../migrate.ts";
import type { RecordsSchema } from "../schema.ts";
import { describeTable, type RecordPage, type RecordSum } from "./dump-records.ts";
import { findMovedTables, type MovedTable } from "./moved-tables.ts";

type Pages = AsyncIterable<RecordPage> | Iterable<RecordPage>;

/**
 * Replaces all records in one transaction, all or nothing. Returns the rows of each table. Throws for a page of an
 * unknown table.
 */
export async function loadRecords(db: Kysely<RecordsSchema>, pages: Pages): Promise<Readonly<Record<string, number>>> {
  return await db.transaction().execute((transaction) => replaceRecords(transaction, pages));
}

async function replaceRecords(
  transaction: Transaction<RecordsSchema>,
  pages: Pages,
): Promise<Readonly<Record<string, number>>> {
  const tables = await findMovedTables(transaction);
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.id(name)}`.execute(transaction);
  const counts = await insertPages(transaction, tables, pages);
  for (const { name } of tables) await goOnCounting(transaction, name);
  return counts;
}

/** The database schema of records that are being migrated; it exists only within a transaction. */
const BESIDE = "older_records";

/**
 * The same for records of an older schema: they are loaded into tables of that schema, described to `check`, which
 * throws if they are not as they were written, migrated there, and then copied.
 */
export async function loadOlderRecords(
  db: Kysely<RecordsSchema>,
  pages: Pages,
  schema: number,
  check: (held: Readonly<Record<string, RecordSum>>) => void,
): Promise<Readonly<Record<string, number>>> {
  const migrations = await readMigrations();
  return await db.transaction().execute(async (transaction) => {
    const run = (statement: RawBuilder<unknown>) => statement.execute(transaction);
    const { rows } = await sql<{ name: string }>`select current_schema()::text as name`.execute(transaction);
    const own = sql.id(rows[0]?.name ?? "public");
    const tables = await findMovedTables(transaction);
    await run(sql`create schema ${sql.id(BESIDE)}`);
    await run(sql`set local search_path = ${sql.id(BESIDE)}`);
    await run(sql`set local timezone = 'UTC'`);
    await makeJournal(transaction);
    for (const migration of migrations.slice(0, schema)) await apply(transaction, migration);
    const counts = await replaceRecords(transaction, pages);
    const held: Record<string, RecordSum> = {};
    for (const { name } of await findMovedTables(transaction)) held[name] = await describeTable(transaction, name);
    check(held);
    for (const migration of migrations.slice(schema)) await apply(transaction, migration);
    await run(sql`set local search_path = ${own}`);
    for (const { name } of tables.toReversed()) await run(sql`delete from ${sql.id(name)}`);
    for (const { name } of tables) {
      await run(sql`insert into ${sql.id(name)} overriding system value select * from ${sql.id(BESIDE, name)}`);
      await goOnCounting(transaction, name);
    }
    await run(sql`drop schema ${sql.id(BESIDE)} cascade`);
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
