import type { Sql } from "./sql.ts";
import type { InsertRow, TableDefinition } from "./table.ts";
import type { InTurn } from "./pacing.ts";
import type { Maker } from "./coverage.ts";

/** Store access of a refresh. */
export type RefreshStore = {
  readonly rows: <T extends Record<string, unknown>>(statement: Sql) => Promise<T[]>;
  /** Skips rows whose content is already stored. */
  readonly insert: (table: TableDefinition, rows: readonly InsertRow[]) => Promise<unknown>;
  /** A statement without a result (INSERT … SELECT). */
  readonly run: (statement: Sql) => Promise<void>;
  /** Changes rows of one table in place; any other table that it reads is named by `wholeTable`. */
  readonly alter: (statement: Sql) => Promise<void>;
};

export type RefreshCycle = {
  /** The current time by the venues' clock, Unix ms. */
  readonly now: number;
  /** Start of the last run by this machine's clock, which stamps rows, in Unix ms; undefined recomputes everything. */
  readonly since: number | undefined;
  /** Also recomputes figures that change with time alone. */
  readonly isWhole: boolean;
  readonly signal: AbortSignal;
  /** Queues a part of the work. */
  readonly withLock: InTurn;
};

/**
 * A table of current figures that change with time as well as with rows (last 24 hours, rank among all): computed at
 * regular intervals, for changes since the last run, and now and then for everything that changes with time.
 */
export type Refresh = Maker & {
  readonly kind: "refresh";
  readonly wholeEverySeconds: number;
  /** Resolves to the number of items computed. Must be idempotent. */
  readonly refresh: (store: RefreshStore, cycle: RefreshCycle) => Promise<number>;
};

export const defineRefresh = (refresh: Omit<Refresh, "kind">): Refresh => ({ kind: "refresh", ...refresh });

export type SweepCycle = {
  /** The current time by the venues' clock, Unix ms. */
  readonly now: number;
  /** The time (Unix ms, machine's clock) up to which a derived table is complete; undefined before the first run. */
  readonly derivedThrough: (table: TableDefinition) => Promise<number | undefined>;
  /** Call before the first row is removed: rows before this time (Unix ms) are no longer complete, for coverage. */
  readonly removing: (goneBefore: number) => Promise<void>;
  readonly signal: AbortSignal;
};

export type Swept = {
  /** Number of rows removed. */
  readonly rows: number;
  /** False where the cycle's work limit was reached first: the next cycle follows soon. */
  readonly isDone: boolean;
};

/** A retention job: removes rows in cycles of bounded work. If interrupted anywhere, the next cycle completes it. */
export type Sweep = {
  readonly name: string;
  /** The rows it removes, e.g. "Posts about no market". */
  readonly title: string;
  readonly of: TableDefinition;
  readonly everySeconds: number;
  readonly sweep: (store: RefreshStore, cycle: SweepCycle) => Promise<Swept>;
};
