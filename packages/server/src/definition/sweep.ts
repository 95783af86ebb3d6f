import type { RefreshStore } from "./refresh.ts";
import type { TableDefinition } from "./table.ts";

export type SweepCycle = {
  /** The current time by the venues' clock, Unix ms. */
  readonly now: number;
  /** The time (Unix ms, machine's clock) up to which a derived table is complete; undefined before the first run. */
  readonly derivedThrough: (table: TableDefinition) => Promise<number | undefined>;
  readonly signal: AbortSignal;
};

export type Swept = {
  /** Number of rows removed. */
  readonly rows: number;
  /** Rows before this time (Unix ms) are no longer complete, for coverage; absent where nothing changed. */
  readonly goneBefore?: number;
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
