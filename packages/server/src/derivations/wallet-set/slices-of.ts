import { bind, sql, type Named, type Sql } from "../../definition/sql.ts";
import type { RefreshStore } from "../../definition/refresh.ts";

const ROWS_A_SLICE = 2_000_000;
const MOST = 256;

/** Conditions on `wallet` that part all wallets, so that a table's rows of each fit into memory. */
export async function slicesOf(store: RefreshStore, table: Named): Promise<Sql[]> {
  const [row] = await store.rows<{ n: string }>(sql`SELECT count() AS n FROM ${table}`);
  const count = Math.min(MOST, Math.max(1, Math.ceil(Number(row?.n) / ROWS_A_SLICE)));
  const bound = (index: number): Sql => {
    const byte = Math.floor((index * MOST) / count);
    return sql`toFixedString(unhex(${bind("String", byte.toString(16).padStart(2, "0") + "00".repeat(19))}), 20)`;
  };
  return Array.from({ length: count }, (_, index) =>
    index === count - 1
      ? sql`wallet >= ${bound(index)}`
      : sql`wallet >= ${bound(index)} AND wallet < ${bound(index + 1)}`,
  );
}
