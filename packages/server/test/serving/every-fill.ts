import { fromDefinition } from "../../src/definition/sql.ts";
import type { ServingReader } from "../../src/serving/reader.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { servedFills } from "../../src/tables/served-fills.ts";
import { expect } from "vitest";

/** Every row by time; checks that the tree of each key column has the same rows. */
export function heldBy(reader: ServingReader): string[] {
  const everything = { limit: 1_000_000, budget: 1_000_000 };
  const view = reader.view();
  const read = (by?: { column: string; values: readonly string[] }): string[] => {
    const { rows } = reader.page({ ...everything, by });
    return Array.from({ length: rows.length }, (_, at) => {
      view.move(rows.rowsAt(at), rows.atOf(at));
      return reader.layout.columns.map((column) => String(view.value(column))).join(" ");
    });
  };
  const byTime = read();
  for (const column of servedFills.keys) {
    const at = reader.layout.column(column).at;
    const values = [...new Set(byTime.map((row) => row.split(" ")[at] ?? ""))];
    expect(read({ column, values }), column).toEqual(byTime);
  }
  return byTime;
}

/** The same rows as the store has them. */
export async function storedFills(store: Pick<OpenStore, "rows">, since = 0): Promise<string[]> {
  const rows = await store.rows<Record<string, string>>(
    fromDefinition(
      `SELECT toString(toUnixTimestamp(ts)) AS ts, concat('0x', lower(hex(tx_hash))) AS tx, toString(log_index) AS l, concat('0x', lower(hex(order_hash))) AS o, concat('0x', lower(hex(wallet))) AS w, toString(token_id) AS t, toString(side) AS side, toString(role) AS role, toString(shares) AS shares, toString(usd) AS usd, toString(fee_usd) AS fee, toString(block_number) AS b, toString(source) AS source, toString(alike_number) AS a, toString(toUnixTimestamp64Micro(ingested_at)) AS i FROM polymarket_fills WHERE toUnixTimestamp(polymarket_fills.ts) >= ${since} ORDER BY polymarket_fills.ts DESC, tx_hash DESC, order_hash DESC`,
    ),
  );
  return rows.map((row) => Object.values(row).join(" "));
}
