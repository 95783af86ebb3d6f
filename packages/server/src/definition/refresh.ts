import type { Sql } from "./sql.ts";
import type { InsertRow, TableDefinition } from "./table.ts";
import type { InTurn } from "./in-turn.ts";
import type { Maker } from "./maker.ts";

/** What a refresh may do with the store. */
export type RefreshStore = {
  readonly rows: <T extends Record<string, unknown>>(statement: Sql) => Promise<T[]>;
  /** Rows whose content is stored already are left out. */
  readonly insert: (table: TableDefinition, rows: readonly InsertRow[]) => Promise<unknown>;
  /** A statement that answers nothing (INSERT … SELECT). */
  readonly run: (statement: Sql) => Promise<void>;
  /** Changes the rows of one table where they lie; another table that it reads is named by `wholeTable`. */
  readonly alter: (statement: Sql) => Promise<void>;
};

export type RefreshTurn = {
  /** Now by the venues' clock, Unix ms. */
  readonly now: number;
  /** Begin of the last turn by this machine's clock, by which rows are stamped, Unix ms; undefined works out everything. */
  readonly since: number | undefined;
  /** Not only what changed: all that moves with time. */
  readonly isWhole: boolean;
  readonly signal: AbortSignal;
  /** Lets a part of it be worked out when its turn comes. */
  readonly inTurn: InTurn;
};

/**
 * A table of newest figures that move with time as well as with rows (last 24 hours, rank among all): worked out at
 * regular moments, for what changed since the last one, and now and then for all that moves.
 */
export type Refresh = Maker & {
  readonly kind: "refresh";
  readonly wholeEverySeconds: number;
  /** Resolves to the number of things worked out. A rerun leaves what a run left. */
  readonly refresh: (store: RefreshStore, turn: RefreshTurn) => Promise<number>;
};

export const defineRefresh = (refresh: Omit<Refresh, "kind">): Refresh => ({ kind: "refresh", ...refresh });
