import type { ReadEngine } from "./read-engine.ts";
import type { Sql } from "./sql.ts";
import type { TableDefinition } from "./table.ts";

/** Figures by which all keys are ranked, kept in memory and brought up to date where rows changed. */
export type Board<Kept extends object> = {
  /** Tells it from all other boards. */
  readonly id: string;
  /** Changes of these put it out of date. */
  readonly tables: readonly TableDefinition[];
  /** Keys (column `key`) of which a row may have changed from a version on. */
  readonly changedSince: (version: string) => Sql;
  readonly make: (read: ReadEngine) => Promise<Kept>;
  /** With what is stored of some keys by now; where there is none the board is made anew. */
  readonly renew?: (kept: Kept, changed: readonly string[], read: ReadEngine) => Promise<Kept>;
  readonly bytesOf: (kept: Kept) => number;
};

export type ReadBoard = <Kept extends object>(board: Board<Kept>) => Promise<Kept>;
