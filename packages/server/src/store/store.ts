import type { ChangeCounts } from "./change-counts.ts";
import type { BlockScope } from "../definition/block-scope.ts";
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
  /** Stand-ins that gave way to better rows (see TableDefinition.standIns); absent where none did. */
  readonly replaced?: number;
  /** The moments those had, each once, as the engine writes them: what was worked out from them is out of date. */
  readonly replacedAt?: readonly string[];
  /** Rows of blocks that are no more, which were taken away; absent where there were none. */
  readonly taken?: number;
};

/** Rows about to be taken away: how many, between which moments (engine text). */
export type Taken = { readonly rows: number; readonly since: string; readonly until: string };

export type Replacement = {
  readonly scope: BlockScope;
  /** Called once before the first row is taken away; answers are wrong between then and the end of the call. */
  readonly before: (taken: Taken) => Promise<void>;
};

/**
 * The column engine. The embedded engine and a cluster differ only in how they are reached.
 * Every call throws StoreError: `kind` says whether it was time, memory, load or absence, never by matching text.
 */
export type Store = {
  /** The answer's bytes, as the engine printed them. */
  readonly read: (statement: Sql, reading?: Reading) => Promise<Buffer>;
  /** Rows as objects, for our own use; 64-bit integers and decimals come as strings. */
  readonly rows: <T extends Record<string, unknown>>(statement: Sql, reading?: Reading) => Promise<T[]>;
  /** A statement that answers nothing (DDL, INSERT … SELECT). */
  readonly run: (statement: Sql, settings?: Readonly<Record<string, string | number>>) => Promise<void>;
  /**
   * Changes the rows of one table where they lie (DELETE FROM, ALTER TABLE, TRUNCATE TABLE, OPTIMIZE TABLE). Another table
   * that it reads is named by `wholeTable`.
   */
  readonly alter: (statement: Sql, settings?: Readonly<Record<string, string | number>>) => Promise<void>;
  /**
   * Stores rows once: rows whose key is stored already (and, in tables with versions, whose content is the same)
   * are left out and counted as known. Repeating a call changes nothing.
   * With `if_absent` a stored key is left as it is. With `absent` the caller has seen that none of the rows is stored,
   * and vouches that keys are given once: nothing is compared.
   */
  readonly insert: (
    table: TableDefinition,
    rows: readonly InsertRow[] | PackedRows,
    mode?: InsertMode,
  ) => Promise<Inserted>;
  /**
   * Stores rows that are all there is of a run of blocks and takes away what else the table holds of these. Cut off at
   * any point, a repeat of the call with what is right then ends it. For tables with `block_number` and `tx_hash`.
   */
  readonly replace: (table: TableDefinition, rows: readonly InsertRow[], replacement: Replacement) => Promise<Inserted>;
  /** After a `replace` that was cut off: gives the further sort orders what they lack between two moments (ISO). */
  readonly mend: (table: TableDefinition, since: string, until: string) => Promise<void>;
  /** Adds rows as they are: nothing is compared, a repeated call stores them twice. */
  readonly append: (table: TableDefinition, rows: PackedRows) => Promise<void>;
  /** The same of those that a condition chooses, all of one version. */
  readonly appendChosen: (table: TableDefinition, rows: PackedRows, version: string, chosen: Sql) => Promise<void>;
  /** Stores the rows of a Parquet file, which has the table's columns as they are stored, as `insert` does. */
  readonly load: (table: TableDefinition, parquet: Buffer) => Promise<Inserted>;
  /** Changes whenever this process stored something new in one of the tables. */
  readonly stampOf: (tables: readonly TableDefinition[]) => string;
  /** The same of one table, but for what is written by `run` and `alter`. */
  readonly ownStampOf: (table: TableDefinition) => number;
  /** Milliseconds since the stamp became what it is; 0 while it may change any moment. */
  readonly unchangedMs: (tables: readonly TableDefinition[]) => number;
  /** Says that rows of a table were written by `run`. */
  readonly changed: ChangeCounts["changed"];
  readonly close: () => Promise<void>;
};
