import { sql } from "../../packages/server/src/definition/sql.ts";
import type { Store } from "../../packages/server/src/store/store.ts";

export type TableSize = { readonly table: string; readonly rows: number; readonly mib: number };

/** Rows and bytes on disk of every non-empty table, each sort order separately. */
export async function tableSizes(store: Store): Promise<readonly TableSize[]> {
  const rows = await store.rows<{ table: string; n: string; bytes: string }>(
    sql`SELECT table, toString(sum(rows)) AS n, toString(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table HAVING sum(rows) > 0 ORDER BY table`,
  );
  return rows.map(({ table, n, bytes }) => ({ table, rows: Number(n), mib: Number(bytes) / 2 ** 20 }));
}
