import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { isDamaged, type OrderedStore } from "../../ordered/ordered-store.ts";
import { Dictionary } from "../../ordered/dictionary.ts";
import { openSqlite } from "../../ordered/sqlite.ts";

const DELETED_AT_ONCE = 10_000;

type Opened = { readonly store: OrderedStore; ids: Dictionary };

/** A disposable file with these trees, created on first use; in memory without a name. */
export function openCheckpointFile(trees: readonly string[], file?: string) {
  let opened: Opened | undefined;
  let isBroken = false;
  const open = (): Opened => {
    if (opened !== undefined) return opened;
    if (file !== undefined) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const store = openUndamaged(trees, file);
    return (opened = { store, ids: new Dictionary(store) });
  };
  const noting = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      isBroken ||= isDamaged(error);
      throw error;
    }
  };
  const giveUpDamaged = (): void => {
    if (!isBroken) return;
    opened?.store.close();
    opened = undefined;
    isBroken = false;
    if (file !== undefined) removeFile(file);
  };
  return {
    open,
    /** Returns the result of `work`, and marks the file as damaged if that is why it throws. */
    noting,
    /** Deletes a file found to be damaged; call it when its numbers are no longer in use. */
    giveUpDamaged,
    empty: (): void => {
      giveUpDamaged();
      const parts = open();
      noting(() => {
        for (const tree of trees) clear(parts.store, tree);
        parts.ids = new Dictionary(parts.store);
      });
    },
    close: (): void => opened?.store.close(),
  };
}

/** A file that is damaged or not SQLite is deleted: keys are then folded from scratch. */
function openUndamaged(trees: readonly string[], file = ":memory:"): OrderedStore {
  try {
    return openSqlite(file, trees);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    removeFile(file);
    return openSqlite(file, trees);
  }
}

function removeFile(file: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
}

function clear(store: OrderedStore, tree: string): void {
  for (;;) {
    const entries = store.down(tree, Buffer.alloc(64, 0xff), Buffer.alloc(0), DELETED_AT_ONCE);
    if (entries.length === 0) return;
    store.transaction(() => {
      for (const { key } of entries) store.remove(tree, key);
    });
  }
}
