import type { ReadEngine } from "./read-engine.ts";
import type { Sql } from "./sql.ts";
import type { TableDefinition } from "./table.ts";

/** Figures by which all keys are ranked, kept in memory and updated incrementally as rows change. */
export type Board<Kept extends object> = {
  /** Unique among all boards. */
  readonly id: string;
  /** A change of these tables makes the board stale. */
  readonly tables: readonly TableDefinition[];
  /** Keys (column `key`) that may have a row changed from a version on. */
  readonly changedSince: (version: string) => Sql;
  readonly make: (read: ReadEngine) => Promise<Kept>;
  /** Updates the board from the current stored rows of the changed keys; if absent, the board is rebuilt. */
  readonly renew?: (kept: Kept, changed: readonly string[], read: ReadEngine) => Promise<Kept>;
  readonly bytesOf: (kept: Kept) => number;
};

export type ReadBoard = <Kept extends object>(board: Board<Kept>) => Promise<Kept>;
