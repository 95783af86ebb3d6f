import { bind, fromDefinition, sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { STORED_TABLES } from "../../definition/table-sql.ts";
import type { Store } from "../store.ts";
import { COLD_VOLUME, policyOf, type Cooling } from "./cold-place.ts";

/** `alter` sends an ALTER to every shard of a cluster. */
type CoolingStore = Pick<Store, "rows" | "alter">;

/**
 * Lets the engine itself move old partitions of the tables that cool to the cold volume. Changes only what differs;
 * returns the names of the changed tables. Throws Error if the engine's servers lack the policy.
 */
export async function coolTables(
  store: CoolingStore,
  tables: readonly TableDefinition[],
  cooling: Cooling,
): Promise<readonly string[]> {
  const policy = policyOf(cooling.place);
  await requirePolicy(store, policy);
  const changed: string[] = [];
  for (const table of tables.filter(({ cools }) => cools !== undefined)) {
    const now = await store.rows<{ engine: string }>(
      sql`SELECT engine_full AS engine FROM ${STORED_TABLES} AND name = ${bind("String", table.name)}`,
    );
    if (now.length === 0) continue;
    const ttl = ttlOf(table, cooling.afterDays);
    const has = (part: string): boolean => now.every(({ engine }) => engine.includes(part));
    const statements = [
      ...(has(`storage_policy = '${policy}'`) ? [] : [`MODIFY SETTING storage_policy = '${policy}'`]),
      ...(has(` TTL ${ttl}`) ? [] : [`MODIFY TTL ${ttl}`]),
    ];
    for (const statement of statements) await store.alter(fromDefinition(`ALTER TABLE ${table.name} ${statement}`));
    if (statements.length > 0) changed.push(table.name);
  }
  return changed;
}

/** In the form that the engine prints. */
function ttlOf({ cools }: TableDefinition, days: number): string {
  return `toDateTime(${cools}) + toIntervalDay(${days}) TO VOLUME '${COLD_VOLUME}'`;
}

async function requirePolicy(store: CoolingStore, policy: string): Promise<void> {
  const volumes = await store.rows<{ volume: string }>(
    sql`SELECT volume_name AS volume FROM system.storage_policies WHERE policy_name = ${bind("String", policy)}`,
  );
  const [first] = volumes;
  const fix = `give the servers a policy of this name whose first volume is 'default' with the disk 'default', and which has a volume '${COLD_VOLUME}'`;
  if (first === undefined) throw new Error(`the column engine has no storage policy '${policy}': ${fix}`);
  if (!volumes.some(({ volume }) => volume === COLD_VOLUME))
    throw new Error(`the storage policy '${policy}' has no volume '${COLD_VOLUME}': ${fix}`);
}
