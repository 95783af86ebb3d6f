import type { Day, Fold, FoldReader, Touched } from "../../definition/fold.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { Store } from "../../store/store.ts";
import { planSlices, SLICE, type SliceLimits } from "./plan-slices.ts";
import { workSlice, writeSlice, type MadeRows } from "./work-slice.ts";

export type FoldEngine = {
  readonly fold: Fold;
  readonly store: Store;
  readonly read: FoldReader;
  readonly limits?: SliceLimits;
  readonly onDerived?: ((table: TableDefinition) => void) | undefined;
};

export type Done = { readonly keys: number; readonly rows: number };

/** Other work that a long one lets through between two slices, while nothing of its own is under way. */
export type Between = { readonly isDue: () => boolean; readonly run: () => Promise<void> };

/**
 * Works touched keys out, slice by slice. A slice is written while the next one is worked out, but for the stretches
 * of one key, of which each goes on from what the last one wrote. Throws StoreError, or the signal's reason.
 */
export async function workTouched(
  engine: FoldEngine,
  touched: Touched,
  closed: Day,
  signal: AbortSignal,
  between?: Between,
): Promise<Done> {
  const { fold, store, read, limits = SLICE } = engine;
  const total = { keys: 0, rows: 0 };
  let writing: Promise<number> = Promise.resolve(0);
  const write = async (made: readonly MadeRows[], keys: number): Promise<number> => {
    const stored = await writeSlice(store, made);
    total.keys += keys;
    total.rows += stored;
    if (stored > 0) for (const table of fold.into) engine.onDerived?.(table);
    return stored;
  };
  try {
    for await (const { isStretch, ...slice } of planSlices(fold, read, touched, limits)) {
      signal.throwIfAborted();
      const isDue = between?.isDue() === true;
      if (isStretch || isDue) await writing;
      if (isDue) await between?.run();
      const made = await workSlice(fold, read, { ...slice, closed });
      await writing;
      writing = write(made, slice.keys.length);
      writing.catch(() => undefined);
      if (isStretch) await writing;
    }
  } finally {
    await writing;
  }
  return total;
}
