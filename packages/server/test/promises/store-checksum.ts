import { tables } from "../../src/catalogue.ts";
import { name, sql } from "../../src/definition/sql.ts";
import type { Store } from "../../src/store/store.ts";

/** Row counts and hashes of every table, and all table names: equal before and after if nothing was changed. */
export async function storeChecksum(store: Store): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  const all = tables.flatMap((table) => [table.name].concat(Object.keys(table.copies ?? {})));
  for (const table of all) {
    const [row] = await store.rows<{ rows: string; sum: string }>(
      sql`SELECT toString(count()) AS rows, toString(sum(cityHash64(*))) AS sum FROM ${name(table)}`,
    );
    sums[table] = `${row?.rows} rows, ${row?.sum}`;
  }
  const known = await store.rows<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name`,
  );
  sums["tables"] = known.map((row) => row.name).join(" ");
  return sums;
}
