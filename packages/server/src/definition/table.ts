import type { Named } from "./sql.ts";

/**
 * One stored column. `stored` is the engine type; `insert` the type rows are sent in (JSON) where it differs,
 * with `store` the SQL that turns the sent value (named like the column) into the stored one.
 */
export type StoredColumn = {
  readonly stored: string;
  readonly insert: string;
  readonly store?: (column: string) => string;
  readonly codec?: string;
  readonly default?: string;
  /** Worked out by the engine from other columns; never sent. */
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
  /** For tables in order of time or with old rows elsewhere. Others, and all copies, are one partition: a look-up opens fewer parts. */
  readonly partitionBy?: string;
  /** Columns that make a row unique: an insert leaves out rows whose key is already stored (see store/insert). */
  readonly key: readonly string[];
  /** The column by which stored keys are looked up in a narrow range before an insert; first in `orderBy`. */
  readonly keyRange?: string;
  /** Further sort orders of the same rows: table name → its ORDER BY. Each gets every insert. */
  readonly copies?: Readonly<Record<string, readonly string[]>>;
  /**
   * Of copies that leave columns out: those they have beside the columns of their order, the version and whether the row
   * is gone. Such a copy has no hash of its rows' contents either. Not of tables with blocks or stand-ins, whose rows are
   * found by all that they say to be taken away.
   */
  readonly copiedColumns?: Readonly<Record<string, readonly string[]>>;
  readonly indexes?: readonly string[];
  /**
   * Rows from sources that lack the real key stand in for the real rows of their `group`: those with one of these
   * `values` in `column`. They go once real rows of the group are stored within `withinSeconds` of them, and are left
   * out where those are.
   */
  readonly standIns?: {
    readonly column: string;
    readonly values: readonly string[];
    readonly group: readonly string[];
    readonly withinSeconds: number;
    /** A number that only real rows keep which take the place of stand-ins: what those were known by. Of others it is 0. */
    readonly kept: string;
  };
  /**
   * Rows between two marks of the index where it is not the engine's 8192: fewer for tables read a few rows at a time.
   * `copies` is that of the further sort orders.
   */
  readonly granularity?: { readonly own?: number; readonly copies?: number };
  /**
   * Whether a new version of a row says anything new is told by a hash of its values, not of their text: cheaper by
   * some microseconds a row.
   */
  readonly hashesValues?: true;
  /** Rows are stored as they are made, without a look at what is stored, and have no such hash: the newest version counts. */
  readonly storedAsMade?: true;
  /**
   * Its moment column, where old rows may go to cheaper storage (see store/cold): whole partitions of time, so that the
   * table has `partitionBy` over it.
   */
  readonly cools?: string;
  /** Rows are taken away within a day by other means: a backup does without them. */
  readonly isPassing?: boolean;
  /** Parts of so many bytes are not merged any more: of partitions that are dropped within hours it is work for nothing. */
  readonly mergedUpToBytes?: number;
  /** Superseded versions are kept this long in `<name>_versions`, so that cursor walks stay on their snapshot. */
  readonly keepVersionsHours?: number;
  /** A dictionary over the table for joins by key: refreshed after inserts. Attribute → its SQL over the table. */
  readonly dictionary?: {
    readonly name: string;
    readonly attributes: Readonly<Record<string, { readonly type: string; readonly from: string }>>;
  };
  /** On a cluster: the expression by which rows are spread. Of a table with versions it reads key columns only. */
  readonly shardBy: string;
  /** As `shardBy`, of copies that are not spread by the first column of their order: the one they are asked for. */
  readonly shardCopiesBy?: Readonly<Record<string, string>>;
};

/** A stored table. Its DDL, its insert statement and its cluster form are all made from this value. */
export function defineTable(definition: Omit<TableDefinition, "kind">): TableDefinition {
  return { kind: "table", ...definition };
}

const IN_EVERY_COPY = new Set(["version", "is_gone"]);

/** The columns that a sort order of a table has, in the table's order; `name` is the table's own or a copy's. */
export function columnsIn({ columns, copies, copiedColumns }: TableDefinition, name: string): string[] {
  const kept = copiedColumns?.[name];
  const all = Object.keys(columns);
  if (kept === undefined) return all;
  const wanted = new Set([...kept, ...(copies?.[name] ?? []), ...IN_EVERY_COPY]);
  return all.filter((column) => wanted.has(column));
}

/** A table by one of its other sort orders, for a FROM. */
export function copyOf(table: TableDefinition, copy: string): Named {
  if (!table.copies?.[copy]) throw new TypeError(`${table.name} has no copy ${copy}`);
  return { kind: "table", name: copy };
}
