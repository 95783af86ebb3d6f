import { sql } from "../../packages/server/src/definition/sql.ts";
import type { Store } from "../../packages/server/src/store/store.ts";

export type TableCost = {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  readonly bytes_uncompressed: number;
  readonly bytes_a_row: number;
  readonly parts: number;
  readonly marks: number;
  /** The primary index as it is held in memory, once a question has met each part. */
  readonly index_bytes: number;
  /** Files of marks; in memory as far as the cache of marks goes. */
  readonly marks_bytes: number;
  /** The three columns that take most, with their bytes a row. */
  readonly dearest: readonly (readonly [column: string, bytesARow: number])[];
};

type Row = Readonly<
  Record<"table" | "rows" | "bytes" | "raw" | "parts" | "marks" | "index_bytes" | "marks_bytes", string>
>;

/** What every table with rows takes, all sort orders apart. No row is read. */
export async function tableCosts(store: Pick<Store, "rows">): Promise<readonly TableCost[]> {
  const parts = await store.rows<Row>(
    sql`SELECT table, toString(sum(rows)) AS rows, toString(sum(bytes_on_disk)) AS bytes, toString(sum(data_uncompressed_bytes)) AS raw,
      toString(count()) AS parts, toString(sum(marks)) AS marks, toString(sum(primary_key_bytes_in_memory)) AS index_bytes, toString(sum(marks_bytes)) AS marks_bytes
      FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table HAVING sum(rows) > 0 ORDER BY sum(bytes_on_disk) DESC`,
  );
  const columns = await store.rows<{ table: string; column: string; bytes: string }>(
    sql`SELECT table, column, toString(sum(column_bytes_on_disk)) AS bytes FROM system.parts_columns
      WHERE active AND database = currentDatabase() GROUP BY table, column ORDER BY sum(column_bytes_on_disk) DESC LIMIT 3 BY table`,
  );
  return parts.map((part) => {
    const rows = Number(part.rows);
    const own = columns.filter(({ table }) => table === part.table);
    return {
      table: part.table,
      rows,
      bytes: Number(part.bytes),
      bytes_uncompressed: Number(part.raw),
      bytes_a_row: tenth(Number(part.bytes) / rows),
      parts: Number(part.parts),
      marks: Number(part.marks),
      index_bytes: Number(part.index_bytes),
      marks_bytes: Number(part.marks_bytes),
      dearest: own.map(({ column, bytes }) => [column, tenth(Number(bytes) / rows)] as const),
    };
  });
}

const tenth = (value: number): number => Math.round(value * 10) / 10;
