import type { ChangeCounts } from "./change-counts.ts";
import type { BlockScope } from "../definition/spans.ts";
import type { PackedRows } from "../definition/packed-rows.ts";
import type { Sql } from "../definition/sql.ts";
import type { Lane } from "./lanes.ts";
import type { SentTable } from "./sent-table.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";

export type Reading = {
  /** Engine format of the answer; default JSONEachRow. */
  readonly format?: string;
  readonly settings?: Readonly<Record<string, string | number>>;
  /** A table that the statement reads besides those of the store. */
  readonly sent?: SentTable;
  /** The engine ends the statement when this is aborted. */
  readonly signal?: AbortSignal;
  readonly lane?: Lane;
};

export type InsertMode = "if_absent" | "absent";

export type Inserted = {
  readonly stored: number;
  readonly known: number;
  /** Provisional rows that were replaced by real rows (see TableDefinition.provisional); absent if none were. */
  readonly replaced?: number;
  /** Distinct times of the replaced rows, in the engine's format: whatever was computed from them is out of date. */
  readonly replacedAt?: readonly string[];
  /** Deleted rows of blocks that no longer exist; absent if there were none. */
  readonly taken?: number;
};

/** Rows about to be deleted: how many, and their time range (engine text). */
export type Taken = { readonly rows: number; readonly since: string; readonly until: string };

export type Replacement = {
  readonly scope: BlockScope;
  /** Called once before the first row is deleted; query results are wrong between then and the end of the call. */
  readonly before: (taken: Taken) => Promise<void>;
};

/**
 * The column engine. The embedded engine and a cluster differ only in how they are reached. Every call throws
 * StoreError: `kind` tells whether the cause was time, memory, load or absence, never by matching text.
 */
export type Store = {
  /** The answer's bytes, as the engine printed them. */
  readonly read: (statement: Sql, reading?: Reading) => Promise<Buffer>;
  /** Rows as objects, for internal use; 64-bit integers and decimals come as strings. */
  readonly rows: <T extends Record<string, unknown>>(statement: Sql, reading?: Reading) => Promise<T[]>;
  /** Runs a statement without a result (DDL, INSERT … SELECT). */
  readonly run: (statement: Sql, settings?: Readonly<Record<string, string | number>>) => Promise<void>;
  /**
   * Changes the rows of one table in place (DELETE FROM, ALTER TABLE, TRUNCATE TABLE, OPTIMIZE TABLE). Another table
   * that it reads is named by `wholeTable`.
   */
  readonly alter: (statement: Sql, settings?: Readonly<Record<string, string | number>>) => Promise<void>;
  /**
   * Stores rows once: rows whose key is stored already (and, in tables with versions, whose content is the same) are
   * skipped and counted as known. Repeating a call changes nothing. With `if_absent` a stored key is left unchanged.
   * With `absent` the caller guarantees that none of the rows is stored and that keys are distinct: nothing is
   * compared.
   */
  readonly insert: (
    table: TableDefinition,
    rows: readonly InsertRow[] | PackedRows,
    mode?: InsertMode,
  ) => Promise<Inserted>;
  /**
   * Stores the complete rows of a block range and deletes all other rows of these blocks. If it is interrupted at any
   * point, repeating the call with the correct rows completes it. For tables with `block_number` and `tx_hash`.
   */
  readonly replace: (table: TableDefinition, rows: readonly InsertRow[], replacement: Replacement) => Promise<Inserted>;
  /**
   * After an interrupted `replace`: inserts into the additional sort orders the rows they lack between two times (ISO).
   */
  readonly mend: (table: TableDefinition, since: string, until: string) => Promise<void>;
  /** Adds rows as they are, without comparing: a repeated call stores them twice. */
  readonly append: (table: TableDefinition, rows: PackedRows) => Promise<void>;
  /** The same for the rows that match a condition, all with one version. */
  readonly appendChosen: (table: TableDefinition, rows: PackedRows, version: string, chosen: Sql) => Promise<void>;
  /** Stores the rows of a Parquet file, which has the table's columns as they are stored, as `insert` does. */
  readonly load: (table: TableDefinition, parquet: Buffer) => Promise<Inserted>;
  /** A value that changes whenever this process stored something new in one of the tables. */
  readonly stampOf: (tables: readonly TableDefinition[]) => number;
  /** The same for one table, except for writes by `run` and `alter`. */
  readonly ownStampOf: (table: TableDefinition) => number;
  /** Milliseconds since the stamp last changed; 0 while it may change at any time. */
  readonly unchangedMs: (tables: readonly TableDefinition[]) => number;
  /**
   * Newest stamp of the rows that this process stored (microseconds since 1970), later than the time if the clock was
   * set back since; 0 before the first.
   */
  readonly newestStamp: () => number;
  /** Reports that rows of a table were written by `run`. */
  readonly changed: ChangeCounts["changed"];
  readonly close: () => Promise<void>;
};
