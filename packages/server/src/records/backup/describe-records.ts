import type { Kysely, Transaction } from "kysely";
import { sql } from "kysely";
import type { RecordsSchema } from "../schema.ts";
import { overSnapshot } from "./over-snapshot.ts";

/** Rows of a table and the SHA-256 of all they say, whatever their order. */
export type RecordSum = { readonly rows: number; readonly sha256: string };

/** What the records hold, table by table: two places with the same records give the same. One snapshot. */
export function describeRecords(db: Kysely<RecordsSchema>): Promise<Readonly<Record<string, RecordSum>>> {
  return overSnapshot(db, describeTable);
}

/** One table, in a transaction whose time zone is UTC. */
export async function describeTable(transaction: Transaction<RecordsSchema>, table: string): Promise<RecordSum> {
  const { rows } = await sql<RecordSum>`
    select count(*)::int as rows, encode(sha256(convert_to(coalesce(string_agg(d, '' order by d), ''), 'UTF8')), 'hex') as sha256
    from (select encode(sha256(convert_to(to_jsonb(t)::text, 'UTF8')), 'hex') as d from ${sql.id(table)} t) as each`.execute(
    transaction,
  );
  return rows[0] ?? { rows: 0, sha256: "" };
}

/** Whether there are records that somebody made: accounts, or streams that were gathered. */
export async function hasRecords(db: Kysely<RecordsSchema>): Promise<boolean> {
  const { rows } = await sql<{ is_held: boolean }>`
    select exists (select 1 from accounts) or exists (select 1 from streams where cursor is not null) as is_held`.execute(
    db,
  );
  return rows[0]?.is_held === true;
}
