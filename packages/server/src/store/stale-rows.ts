import type { BlockScope } from "../definition/spans.ts";
import { slicesOf } from "../definition/slices.ts";
import { bind, fromDefinition, sql, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import { sentColumns } from "./ddl.ts";
import { provisionalRows } from "./provisional-rows.ts";

/** Rows of blocks that no longer exist: how many, their time range (engine text), and the first of them by hash. */
export type StaleRows = {
  readonly rows: number;
  readonly since: string;
  readonly until: string;
  readonly hashes: readonly string[];
};

/** A deletion lists its rows as text, below 256 KiB. */
const ROWS_A_DELETION = 5000;
const ROWS_A_PASS = 50_000;
/** Block times at one height on two branches differ by at most this. */
const BRANCH_SECONDS = 300;
const MARGIN = fromDefinition(`INTERVAL ${BRANCH_SECONDS} SECOND`);
const FILLED_BY_STORE = new Set(["ingested_at", "version"]);

/**
 * Finds the rows that are in the scope, or have the key of a staged row, and differ from what is staged; of provisional
 * rows only those of dropped transactions.
 */
export function findStale(table: TableDefinition, staged: string, scope: BlockScope): Sql {
  const keyRange = requireBlocks(table);
  const hash = hashOf(table);
  const keys = table.key.join(", ");
  const [head, rows, lookup, tail] = [
    `SELECT toUInt32(count()) AS rows, toString(min(moment)) AS since, toString(max(moment)) AS until, groupArray(${ROWS_A_PASS})(hex(hash)) AS hashes FROM (`,
    `SELECT ${hash} AS hash, ${keyRange} AS moment FROM ${table.name} WHERE `,
    `(${keys}) IN (SELECT ${keys} FROM ${staged})`,
    `) WHERE hash NOT IN (SELECT ${hash} FROM ${staged})`,
  ].map(fromDefinition) as [Sql, Sql, Sql, Sql];
  const inTime = sql`${sinceOf(table, scope)} AND ${fromDefinition(keyRange)} <= ${timestampOf(scope.until)} + ${MARGIN}`;
  const inBlocks = sql`block_number >= ${bind("UInt64", scope.from)} AND block_number <= ${bind("UInt64", scope.to)}`;
  const replaced = sql`${realRows(table)} AND ${reportedOf(scope)} AND ((${inBlocks}) OR ${lookup})`;
  return sql`${head}${rows}${inTime} AND (${replaced}${droppedOf(table, scope)})${tail}`;
}

/** Lower time bound: rows of the scope's blocks and of later ones are not older, nor are their stand-in rows. */
export const sinceOf = (table: TableDefinition, { since }: BlockScope): Sql => {
  const seconds = Math.max(BRANCH_SECONDS, table.provisional?.withinSeconds ?? 0);
  return sql`${fromDefinition(requireBlocks(table))} >= ${timestampOf(since)} - toIntervalSecond(${bind("UInt32", seconds)})`;
};

function realRows({ provisional }: TableDefinition): Sql {
  const isReal = provisional === undefined ? "" : `NOT (${provisionalRows(provisional)}) AND `;
  return fromDefinition(`${isReal}block_number > 0`);
}

const isAmong = (transactions: readonly string[]): Sql =>
  sql`has(${bind("Array(String)", transactions)}, concat('0x', lower(hex(tx_hash))))`;

/** Skips the transactions that the batch does not cover. */
const reportedOf = ({ except = [] }: BlockScope): Sql => (except.length === 0 ? sql`1` : sql`NOT ${isAmong(except)}`);

/** Adds the provisional rows of dropped transactions. Begins with OR. */
function droppedOf({ provisional }: TableDefinition, { dropped = [] }: BlockScope): Sql {
  if (provisional === undefined || dropped.length === 0) return sql``;
  return sql` OR (${fromDefinition(provisionalRows(provisional))} AND ${isAmong(dropped)})`;
}

/**
 * Deletes rows from these tables, in this order. Listed as text, since the engine finishes a deletion after a crash.
 */
export function dropStale(table: TableDefinition, from: readonly string[], stale: StaleRows): Sql[] {
  const keyRange = requireBlocks(table);
  return from.flatMap((name) =>
    slicesOf(stale.hashes, ROWS_A_DELETION).map((some) =>
      fromDefinition(
        `DELETE FROM ${name} WHERE ${keyRange} >= '${stale.since}' AND ${keyRange} <= '${stale.until}'` +
          ` AND hex(${hashOf(table)}) IN (${some.map((hash) => `'${hash}'`).join(", ")})`,
      ),
    ),
  );
}

/**
 * Inserts into a copy the table's rows that it lacks in a range of time (ISO), after a deletion was interrupted before
 * it reached the table.
 */
export function mendCopy(table: TableDefinition, copy: string, since: string, until: string): Sql {
  const keyRange = requireBlocks(table);
  const keys = table.key.join(", ");
  const range = sql`${fromDefinition(keyRange)} >= ${timestampOf(since)} AND ${fromDefinition(keyRange)} <= ${timestampOf(until)}`;
  return sql`INSERT INTO ${fromDefinition(copy)} SELECT * FROM ${fromDefinition(table.name)} WHERE ${range} AND (${fromDefinition(keys)}) NOT IN (SELECT ${fromDefinition(`${keys} FROM ${copy}`)} WHERE ${range})`;
}

function timestampOf(iso: string): Sql {
  return sql`parseDateTimeBestEffort(${bind("String", iso)}, 'UTC')`;
}

/** Hashes a stored row by all that its source reported; `kept` is omitted, since it depends on stand-in rows. */
function hashOf(table: TableDefinition): string {
  const columns = sentColumns(table)
    .filter(([column]) => !FILLED_BY_STORE.has(column) && column !== table.provisional?.kept)
    .map(([column, { stored }]) => (stored.includes("Nullable") ? `toString(tuple(${column}))` : column));
  return `sipHash128(${columns.join(", ")})`;
}

function requireBlocks({ name, columns, keyRange }: TableDefinition): string {
  if (keyRange !== undefined && "block_number" in columns && "tx_hash" in columns) return keyRange;
  throw new TypeError(`${name} has no blocks: it needs block_number, tx_hash and a keyRange`);
}
