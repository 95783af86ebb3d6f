import type { RefreshStore } from "./refresh.ts";
import type { TableDefinition } from "./table.ts";

export type SweepTurn = {
  /** Now by the venues' clock, Unix ms. */
  readonly now: number;
  /** Up to when (Unix ms, the machine's clock) what is made of stored rows is made in a table; undefined before that. */
  readonly derivedThrough: (table: TableDefinition) => Promise<number | undefined>;
  readonly signal: AbortSignal;
};

export type Swept = {
  /** Rows that went. */
  readonly rows: number;
  /** Rows of before are not all there any more (Unix ms), for coverage; absent where that says nothing new. */
  readonly goneBefore?: number;
  /** False where the turn's bound was reached first: the next turn follows soon. */
  readonly isDone: boolean;
};

/** Takes away what is kept no longer, or must go, in turns of bounded work. Cut off at any point, the next turn ends it. */
export type Sweep = {
  readonly name: string;
  /** What goes, e.g. "Posts about no market". */
  readonly title: string;
  readonly of: TableDefinition;
  readonly everySeconds: number;
  readonly sweep: (store: RefreshStore, turn: SweepTurn) => Promise<Swept>;
};
