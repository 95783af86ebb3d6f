import type { Named } from "./sql.ts";

/**
 * One stored column. `stored` is the engine type; `insert` is the type rows are sent in (JSON) where it differs, with
 * `store` the SQL that converts the sent value (named like the column) to the stored one.
 */
export type StoredColumn = {
  readonly stored: string;
  readonly insert: string;
  readonly store?: (column: string) => string;
  readonly codec?: string;
  readonly default?: string;
  /** Computed by the engine from other columns; never sent. */
  readonly materialized?: string;
  readonly about: string;
};

/** The rows a connector yields for a table: field → JSON value (decimal strings for money, hex for hashes). */
export type InsertRow = Readonly<Record<string, unknown>>;

export type TableDefinition = Named & {
  readonly about: string;
  readonly columns: Readonly<Record<string, StoredColumn>>;
  readonly engine: "MergeTree" | "ReplacingMergeTree(version)";
  readonly orderBy: readonly string[];
  /**
   * For time-ordered tables or old rows in other storage; one partition otherwise, and in copies, opens fewer parts.
   */
  readonly partitionBy?: string;
  /** Columns that identify a row: an insert skips rows whose key is already stored (see store/insert). */
  readonly key: readonly string[];
  /** The column that narrows the range in which stored keys are looked up before an insert; first in `orderBy`. */
  readonly keyRange?: string;
  /** Further sort orders of the same rows: table name → its ORDER BY. Every insert also writes them. */
  readonly copies?: Readonly<Record<string, readonly string[]>>;
  /**
   * For copies that omit columns: the columns they keep besides those of their order, `version` and `is_gone`. Such a
   * copy has no content hash either. Not for tables with blocks or provisional rows, whose rows are matched by all
   * columns for removal.
   */
  readonly copiedColumns?: Readonly<Record<string, readonly string[]>>;
  readonly indexes?: readonly string[];
  /**
   * Provisional rows, from sources that lack the real key: those with one of `values` in `column`. They are removed
   * once real rows of their `group` are stored within `withinSeconds` of them, and skipped where these already are.
   */
  readonly provisional?: {
    readonly column: string;
    readonly values: readonly string[];
    readonly group: readonly string[];
    readonly withinSeconds: number;
    /** A number kept only in real rows that replaced provisional ones, whose public id derives from it; 0 in others. */
    readonly kept: string;
  };
  /**
   * Rows per index mark where not the engine's 8192: fewer for tables read a few rows at a time. `copies` applies to
   * the further sort orders.
   */
  readonly granularity?: { readonly own?: number; readonly copies?: number };
  /**
   * Detects unchanged new versions of a row by a hash of its values, not of their text: some microseconds cheaper a
   * row.
   */
  readonly hashesValues?: true;
  /** Rows are stored as computed, without comparison with stored rows or a content hash: the newest version wins. */
  readonly storedAsMade?: true;
  /**
   * Its timestamp column, where old rows may move to cheaper storage (see store/cold): in whole time partitions, so the
   * table needs a `partitionBy` on it.
   */
  readonly cools?: string;
  /** Rows are removed within a day by other means, so backups skip the table. */
  readonly isPassing?: boolean;
  /** Parts of this size are no longer merged: that is wasted work in partitions that are dropped within hours. */
  readonly mergedUpToBytes?: number;
  /** Superseded versions are kept this long in `<name>_versions`, so that cursor walks stay on their snapshot. */
  readonly keepVersionsHours?: number;
  /** A dictionary over the table for joins by key: refreshed after inserts. Attribute → its SQL over the table. */
  readonly dictionary?: {
    readonly name: string;
    readonly attributes: Readonly<Record<string, { readonly type: string; readonly from: string }>>;
  };
  /** On a cluster: the sharding expression. For a table with versions it uses key columns only. */
  readonly shardBy: string;
  /** As `shardBy`, for copies not sharded by the first column of their order, which is the one they are queried by. */
  readonly shardCopiesBy?: Readonly<Record<string, string>>;
};

/** Defines a stored table. Its DDL, its insert statement and its cluster form are all generated from this value. */
export function defineTable(definition: Omit<TableDefinition, "kind">): TableDefinition {
  return { kind: "table", ...definition };
}

const IN_EVERY_COPY = new Set(["version", "is_gone"]);

/** The columns of one of a table's sort orders, in the table's order; `name` is the table's own or a copy's. */
export function columnsIn({ columns, copies, copiedColumns }: TableDefinition, name: string): string[] {
  const kept = copiedColumns?.[name];
  const all = Object.keys(columns);
  if (kept === undefined) return all;
  const wanted = new Set([...kept, ...(copies?.[name] ?? []), ...IN_EVERY_COPY]);
  return all.filter((column) => wanted.has(column));
}

/** One of a table's other sort orders, for a FROM. */
export function copyOf(table: TableDefinition, copy: string): Named {
  if (!table.copies?.[copy]) throw new TypeError(`${table.name} has no copy ${copy}`);
  return { kind: "table", name: copy };
}
