import { PARTS_OF_ALL_REPLICAS } from "../../definition/active-parts.ts";
import { bind, sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { Store } from "../../store/store.ts";

const HOUR_MS = 3_600_000;

/** Drops the partitions (an hour each) of which all is older than `hours`; with 0 hours all of them. */
export async function dropOldPayloads(
  store: Pick<Store, "rows" | "alter">,
  table: TableDefinition,
  hours: number,
  nowMs: number,
): Promise<void> {
  const before = hours === 0 ? Number.MAX_SAFE_INTEGER : Math.floor((nowMs - (hours + 1) * HOUR_MS) / 1000);
  const old = await store.rows<{ id: string }>(
    sql`SELECT DISTINCT partition_id AS id FROM ${PARTS_OF_ALL_REPLICAS} AND table = ${bind("String", table.name)} AND toUnixTimestamp(parseDateTimeBestEffort(partition)) < ${bind("UInt64", String(before))}`,
  );
  for (const { id } of old) {
    const text = `ALTER TABLE ${table.name} DROP PARTITION ID '${id.replaceAll(/[^0-9A-Za-z-]/g, "")}'`;
    await store.alter({ kind: "sql", text, values: [] });
  }
}
