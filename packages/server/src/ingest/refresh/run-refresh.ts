import type { Refresh, RefreshStore } from "../../definition/refresh.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { InTurn } from "../../definition/in-turn.ts";
import type { Store } from "../../store/store.ts";
import { DAY_READING } from "../day/day-reading.ts";
import { turns } from "../turns.ts";

export type RefreshRun = {
  readonly store: Pick<Store, "rows" | "insert" | "run" | "alter">;
  readonly signal: AbortSignal;
  readonly onDerived?: (table: TableDefinition) => void;
  /** Parts are worked out one after the other when absent. */
  readonly inTurn?: InTurn;
};

/** One turn of a refresh; gives how many things it worked out. Throws StoreError, or the signal's reason. */
export async function runRefresh(
  refresh: Refresh,
  turn: { readonly now: number; readonly since: number | undefined; readonly isWhole: boolean },
  { store, signal, onDerived, inTurn = turns(1) }: RefreshRun,
): Promise<number> {
  const own: RefreshStore = { ...store, rows: (statement) => store.rows(statement, { settings: DAY_READING }) };
  const done = await refresh.refresh(own, { ...turn, signal, inTurn });
  if (done > 0) onDerived?.(refresh.into);
  return done;
}
