import { fromDefinition, type Sql } from "../../definition/sql.ts";
import { StoreError } from "../store-error.ts";
import type { ClusterNode } from "./cluster-node.ts";
import { readLines } from "./look-at-node.ts";
import type { StoredTable } from "./stored-table.ts";

/** An insert, by the text of its batch column, of which two replicas hold different rows; rows of it at most. */
export type Differing = { readonly batch: string; readonly rows: number };

/** Time before a table's newest row in which replicas are compared: a cut-off insert is among the newest. */
const LOOK_BACK_DAYS = 3;

/**
 * What replicas of one shard hold differently of their newest inserts, `whole` of all. Of a table with versions only the
 * newest of each key counts: merges take the others away, on each replica in their own time.
 */
export async function findDiffering(
  table: StoredTable,
  replicas: readonly ClusterNode[],
  isWhole: boolean,
): Promise<Differing[]> {
  const newest = await Promise.all(replicas.map((node) => one(node, newestOf(table))));
  const latest = newest
    .map(({ n }) => n)
    .reduce((a, b) => (b.length > a.length || (b.length === a.length && b > a) ? b : a));
  if (latest === "0") return [];
  const since = isWhole ? "1" : startOf(table, latest);
  const totals = await Promise.all(replicas.map((node) => one(node, totalOf(table, since))));
  if (totals.every(({ n }) => n === totals[0]?.n)) return [];
  const each = await Promise.all(
    replicas.map((node) =>
      readLines<{ batch: string; n: string; rows: string }>(node.connection, batchesOf(table, since)),
    ),
  );
  return differencesOf(each);
}

async function one(node: ClusterNode, statement: Sql): Promise<{ readonly n: string }> {
  const [row] = await readLines<{ n: string }>(node.connection, statement);
  if (row === undefined) throw new StoreError("failed", 0, `${node.name} answers nothing to a count`);
  return row;
}

function differencesOf(each: readonly (readonly { batch: string; n: string; rows: string }[])[]): Differing[] {
  const seen = new Map<string, { said: Set<string>; times: number; rows: number }>();
  for (const batches of each) {
    for (const { batch, n, rows } of batches) {
      const entry = seen.get(batch) ?? { said: new Set<string>(), times: 0, rows: 0 };
      entry.said.add(n);
      seen.set(batch, { said: entry.said, times: entry.times + 1, rows: Math.max(entry.rows, Number(rows)) });
    }
  }
  return [...seen]
    .filter(([, { said, times }]) => said.size > 1 || times < each.length)
    .map(([batch, { rows }]) => ({ batch, rows }))
    .toSorted((a, b) => (a.batch < b.batch ? -1 : 1));
}

const newestOf = ({ name, batch, hasVersions }: StoredTable): Sql =>
  fromDefinition(
    `SELECT toString(${hasVersions ? `max(${batch})` : `toUnixTimestamp(max(${batch}))`}) AS n FROM ${name}`,
  );

/** The batch column from a moment on. */
function startOf({ batch, hasVersions }: StoredTable, newest: string): string {
  if (!hasVersions) return `${batch} >= toDateTime(${BigInt(newest)} - ${LOOK_BACK_DAYS * 86_400})`;
  const start = BigInt(newest) - BigInt(LOOK_BACK_DAYS * 86_400) * 1_000_000n;
  return `${batch} >= ${start > 0n ? start : 0n}`;
}

function rowsOf({ name, identity, batch, hasVersions }: StoredTable, since: string): string {
  if (!hasVersions) return `SELECT ${batch} AS b, cityHash64(${identity}) AS h FROM ${name} WHERE ${since}`;
  return `SELECT max(${batch}) AS b, cityHash64(${identity}) AS h FROM ${name} WHERE ${since} GROUP BY ${identity}`;
}

const totalOf = (table: StoredTable, since: string): Sql =>
  fromDefinition(
    `SELECT concat(toString(count()), ' ', toString(sum(cityHash64(b, h)))) AS n FROM (${rowsOf(table, since)})`,
  );

const batchesOf = (table: StoredTable, since: string): Sql =>
  fromDefinition(
    `SELECT toString(b) AS batch, concat(toString(count()), ' ', toString(sum(h))) AS n, toString(count()) AS rows FROM (${rowsOf(table, since)}) GROUP BY b`,
  );
