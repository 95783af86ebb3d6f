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
 * Works touched keys out, slice by slice. While one is read, the one before is worked out, and the one before that is
 * written; but for the stretches of one key, of which each goes on from what the last one wrote. Throws StoreError, or
 * the signal's reason.
 */
export async function workTouched(
  engine: FoldEngine,
  touched: Touched,
  closed: Day,
  signal: AbortSignal,
  between?: Between,
): Promise<Done> {
  const { fold, read, limits = SLICE } = engine;
  const line = createLine(engine);
  try {
    for await (const { isStretch, ...slice } of planSlices(fold, read, touched, limits)) {
      signal.throwIfAborted();
      const isDue = between?.isDue() === true;
      if (isStretch || isDue) await line.settle();
      if (isDue) await between?.run();
      await line.add(workSlice(fold, read, { ...slice, closed }), slice.keys.length);
      if (isStretch) await line.settle();
    }
  } finally {
    await line.settle();
  }
  return line.done;
}

/** Slices under way, in their order: one that is worked out and one that is written. */
function createLine({ fold, store, onDerived }: FoldEngine) {
  const done = { keys: 0, rows: 0 };
  let working: Promise<void> = Promise.resolve();
  let writing: Promise<void> = Promise.resolve();
  const write = async (made: readonly MadeRows[], keys: number): Promise<void> => {
    const stored = await writeSlice(store, made);
    done.keys += keys;
    done.rows += stored;
    if (stored > 0) for (const table of fold.into) onDerived?.(table);
  };
  /** Waits for the slice before to be written, then leaves this one to be written. */
  const follow = async (made: Promise<readonly MadeRows[]>, keys: number): Promise<void> => {
    const rows = await made;
    await writing;
    writing = write(rows, keys);
    writing.catch(() => undefined);
  };
  return {
    done,
    /** Takes a slice on, once the one before is worked out. */
    add: async (made: Promise<readonly MadeRows[]>, keys: number): Promise<void> => {
      made.catch(() => undefined);
      await working;
      working = follow(made, keys);
      working.catch(() => undefined);
    },
    /** Waits until everything is written. */
    settle: async (): Promise<void> => {
      try {
        await working;
      } finally {
        await writing;
      }
    },
  };
}
