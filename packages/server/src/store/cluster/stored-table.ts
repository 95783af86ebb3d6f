import { bind, sql } from "../../definition/sql.ts";
import { StoreError } from "../store-error.ts";
import type { ClusterNode } from "./cluster-node.ts";
import { readLines } from "./look-at-node.ts";
import { shardDatabase } from "./cluster-place.ts";

/** A table as its nodes hold it, by the engine's own books. */
export type StoredTable = {
  /** With its database. */
  readonly name: string;
  /** Its sorting key. */
  readonly key: string;
  /** Columns that make a row of one insert one: the key, or all where the key only says when it came. */
  readonly identity: string;
  /** The column that says with which insert a row came. */
  readonly batch: string;
  readonly batchType: string;
  readonly hasVersions: boolean;
  /** Name and type of the columns that an insert carries. */
  readonly columns: readonly (readonly [string, string])[];
};

const BATCH_COLUMNS = ["superseded_at", "ingested_at", "version", "ts"];

/** Undefined of a table that is no shard's. Throws StoreError; "failed" where rows cannot be told apart by insert. */
export async function readStoredTable(node: ClusterNode, table: string): Promise<StoredTable | undefined> {
  const database = shardDatabase(node.address.database);
  const [found] = await readLines<{ engine: string; key: string; columns: [string, string, string][] }>(
    node.connection,
    sql`SELECT engine, sorting_key AS key, (SELECT groupArray((name, type, default_kind)) FROM
      (SELECT * FROM system.columns WHERE database = ${bind("String", database)} AND table = ${bind("String", table)} ORDER BY position)) AS columns
      FROM system.tables WHERE database = ${bind("String", database)} AND name = ${bind("String", table)}`,
  );
  if (found === undefined) return undefined;
  const columns = found.columns
    .filter(([, , kind]) => kind !== "MATERIALIZED")
    .map(([name, type]): readonly [string, string] => [name, type]);
  const hasVersions = found.engine.includes("Replacing");
  const batch = hasVersions
    ? columns.find(([name]) => name === "version")
    : columns.toSorted(([a], [b]) => rankOf(a) - rankOf(b))[0];
  if (batch === undefined || rankOf(batch[0]) === Number.POSITIVE_INFINITY)
    throw new StoreError("failed", 0, `rows of ${table} cannot be told apart by insert`);
  const isTold = hasVersions || !found.key.split(", ").includes(batch[0]);
  const identity = isTold ? found.key : columns.map(([name]) => name).join(", ");
  const shape = { key: found.key, identity, batch: batch[0], batchType: batch[1], hasVersions, columns };
  return { name: `${database}.${table}`, ...shape };
}

const rankOf = (column: string): number => {
  const found = BATCH_COLUMNS.indexOf(column);
  return found === -1 ? Number.POSITIVE_INFINITY : found;
};
