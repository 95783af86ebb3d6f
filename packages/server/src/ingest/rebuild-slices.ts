import type { Derivation, Slice } from "../definition/derivation.ts";
import type { Store } from "../store/store.ts";
import { engineSeconds } from "./engine-seconds.ts";
import { FIND_SECONDS } from "./find-seconds.ts";
import { runWhole } from "./run-whole.ts";

/**
 * Keys of a slice are together in the order of what is read, so that their groups come one after the other; from several
 * threads they would have to be put in order again, which costs as much as the rest.
 */
const IN_ORDER = { optimize_aggregation_in_order: 1, max_threads: 1 };

/**
 * Works everything out again, slice by slice (the derivation must tell them). `reached` is the last key of a slice.
 * A rerun leaves what a run left. Throws StoreError, or the signal's reason between two slices.
 */
export async function rebuildSlices(
  derivation: Derivation,
  options: {
    readonly store: Store;
    readonly version: () => string;
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: { readonly reached: string; readonly share: number }) => void;
  },
): Promise<void> {
  const { store, version, signal, onProgress } = options;
  if (!derivation.slices) throw new TypeError(`${derivation.name} tells no slices`);
  const found = await store.rows<Slice>(derivation.slices, { settings: { max_execution_time: FIND_SECONDS } });
  const all = { from: engineSeconds(0), to: engineSeconds(0), starts: undefined };
  for (const [index, slice] of found.entries()) {
    signal?.throwIfAborted();
    await runWhole(derivation, store, { ...all, slice, version: version() }, { settings: IN_ORDER });
    onProgress?.({ reached: slice.last, share: (index + 1) / found.length });
  }
}
