import type { TableDefinition } from "../../definition/table.ts";

/** By which expression the rows of each stored table, its copies and its kept versions are spread over shards. */
export function shardingKeys(tables: readonly TableDefinition[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const { name, shardBy, copies, shardCopiesBy, keepVersionsHours } of tables) {
    keys.set(name, shardBy);
    if (keepVersionsHours !== undefined) keys.set(`${name}_versions`, shardBy);
    for (const [copy, [first]] of Object.entries(copies ?? {}))
      keys.set(copy, shardCopiesBy?.[copy] ?? `cityHash64(${first})`);
  }
  return keys;
}
