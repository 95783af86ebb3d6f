import { bind, fromDefinition, sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { applyMissing, missingOf, type RequireAlone } from "../apply-missing.ts";
import { bringDictionaries } from "../dictionaries.ts";
import { withLock } from "../with-lock.ts";
import type { Migration } from "../migrations.ts";
import { readLines, runnerOf } from "../connection.ts";
import { StoreError, toNumbered } from "../statement.ts";
import { type ClusterNode, shardDatabase } from "./cluster-node.ts";
import type { ClusterNodes } from "./cluster-nodes.ts";

type Held = { readonly name: string; readonly engine: string; readonly full: string; readonly columns: string };

/** A node's private tables, which no other node knows. */
const OWN = /^(schema_|staged_|fresh_)/;

/**
 * Updates a node's `Distributed` tables to match the shards' tables: creates new ones, replaces those with other
 * columns, and drops those over a missing table. Throws if rows are sharded differently from the definitions.
 */
async function bringDistributed(node: ClusterNode, cluster: string, keys: ReadonlyMap<string, string>): Promise<void> {
  const { database } = node.address;
  const shards = shardDatabase(database);
  const run = (text: string) => node.connection.send(toNumbered(fromDefinition(text)));
  const [held, requested] = await Promise.all([tablesOf(node, shards), tablesOf(node, database)]);
  const over = new Map(requested.filter(({ engine }) => engine === "Distributed").map((table) => [table.name, table]));
  for (const { name, columns } of held) {
    if (OWN.test(name)) continue;
    const key = keys.get(name);
    if (key === undefined) throw new Error(`the table ${name} has no definition, so its sharding key is unknown`);
    const engine = `Distributed('${cluster}', '${shards}', '${name}', ${key})`;
    const found = over.get(name);
    over.delete(name);
    if (found !== undefined && !found.full.startsWith(engine))
      throw new Error(
        `rows of ${name} on ${node.name} are sharded by ${found.full}, but this version shards them by ${key}: move the store into a new cluster`,
      );
    if (found?.columns !== columns)
      await run(`CREATE OR REPLACE TABLE ${name} AS ${shards}.${name} ENGINE = ${engine}`);
  }
  for (const name of over.keys()) await run(`DROP TABLE IF EXISTS ${name}`);
}

function tablesOf(node: ClusterNode, database: string): Promise<Held[]> {
  return readLines<Held>(
    node.connection,
    sql`SELECT name, any(t.engine) AS engine, any(engine_full) AS full, toString(arraySort(groupArray((c.position, c.name, c.type, c.default_kind, c.default_expression)))) AS columns
      FROM system.tables AS t INNER JOIN system.columns AS c ON c.database = t.database AND c.table = t.name
      WHERE t.database = ${bind("String", database)} AND NOT t.is_temporary AND t.engine != 'Dictionary' GROUP BY t.name AS name ORDER BY name`,
  );
}

/**
 * Brings every node to the newest migration: first the tables with the rows on all nodes, then the `Distributed` tables
 * over them, so that no reader sees one without the other. Concurrent programs are serialised by a lock. Throws if
 * migrations are missing and a node is away.
 */
export async function migrateCluster(
  nodes: ClusterNodes,
  known: readonly Migration[],
  tables: readonly TableDefinition[],
  requireAlone?: RequireAlone,
): Promise<readonly string[]> {
  const there = nodes.inOrder.filter(({ isThere }) => isThere);
  const [first] = there;
  if (first === undefined) throw new StoreError("absent", 0, `no node of the cluster ${nodes.name} answers`);
  for (const node of there) await makeDatabases(node);
  const applied = await withLock(runnerOf(first.connection), "migrate", async () => {
    await requireForm(nodes, there);
    const engines = there.map((node) => ({ node, journal: runnerOf(node.connection), rows: runnerOf(node.shard) }));
    const missing = await Promise.all(engines.map(({ journal }) => missingOf(journal, known)));
    if (missing.some(({ length }) => length > 0)) requireWhole(nodes, there);
    const emptied = there.filter((_, index) => missing[index]?.length === known.length);
    if (!nodes.isReplicated && emptied.length > 0 && emptied.length < there.length)
      throw new Error(
        `${emptied.map(({ name }) => name).join(", ")} has no tables and other nodes do: its rows are lost. Drop ${first.address.database} and ${shardDatabase(first.address.database)} on every node and restore a backup (docs/cluster.md)`,
      );
    const done = await applyMissing(engines, known, { requireAlone, isReplicated: nodes.isReplicated });
    const keys = shardingKeys(tables);
    for (const { node, journal } of engines) {
      await bringDistributed(node, nodes.name, keys);
      await bringDictionaries(journal, tables, node.address);
    }
    return done;
  });
  await nodes.expect(known.at(-1)?.number ?? 0);
  return applied.map(({ name }) => name);
}

/** Throws if a node that answers is newer than the known migrations, or older than the first. */
export async function requireUpgradableNodes({ inOrder }: ClusterNodes, known: readonly Migration[]): Promise<void> {
  for (const node of inOrder.filter(({ isThere }) => isThere)) {
    await makeDatabases(node);
    await missingOf(runnerOf(node.connection), known);
  }
}

async function makeDatabases({ address: { database }, bare }: ClusterNode): Promise<void> {
  for (const each of [database, shardDatabase(database)])
    await bare.send(toNumbered(fromDefinition(`CREATE DATABASE IF NOT EXISTS ${each}`)));
}

function requireWhole({ list, name }: ClusterNodes, there: readonly ClusterNode[]): void {
  const away = list.filter((node) => !there.includes(node)).map((node) => node.name);
  if (away.length > 0)
    throw new StoreError(
      "absent",
      0,
      `the cluster ${name} can only be migrated while every node answers; missing: ${away.join(", ")}`,
    );
}

/** Throws if tables do not match the servers' `internal_replication`: rows would be on one replica only. */
async function requireForm({ name, isReplicated }: ClusterNodes, nodes: readonly ClusterNode[]): Promise<void> {
  const found = await Promise.all(
    nodes.map(({ bare, address }) =>
      readLines<{ replicated: 0 | 1 }>(
        bare,
        sql`SELECT DISTINCT startsWith(engine, 'Replicated') AS replicated FROM system.tables WHERE database = ${bind("String", shardDatabase(address.database))} AND endsWith(engine, 'MergeTree')`,
      ),
    ),
  );
  if (found.flat().some(({ replicated }) => (replicated === 1) !== isReplicated))
    throw new Error(
      `internal_replication is ${String(isReplicated)} for ${name}, but its tables have the other form: restore the setting, or move the store into a new cluster`,
    );
}

/** Returns the sharding expression of each stored table, its copies and its kept versions. */
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
