import type { Derivation } from "../definition/derivation.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { engineSeconds } from "./engine-seconds.ts";
import { planChunks } from "./plan-chunks.ts";
import { rebuildSlices } from "./rebuild-slices.ts";
import { runWhole } from "./run-whole.ts";

/** `reached`: the end of the chunk (ISO), or the last key of the slice. */
export type RebuildProgress = { readonly reached: string; readonly share: number };

/**
 * Works a derivation out again over a range (ISO, half-open), chunk by chunk, beginning at the first whole bucket; one
 * that goes by slices over all there is, slice by slice.
 * A rerun leaves what a run left. Throws StoreError, or the signal's reason between two chunks.
 */
export async function rebuildAll(
  derivation: Derivation,
  range: { readonly from: string; readonly to: string },
  options: {
    readonly store: Store;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly onProgress?: (progress: RebuildProgress) => void;
  },
): Promise<void> {
  if (derivation.slices) {
    return rebuildSlices(derivation, { ...options, version: () => String(BigInt(options.clock.now()) * 1000n) });
  }
  const size = derivation.bucketSeconds;
  const first = Math.floor(Date.parse(range.from) / 1000 / size) * size;
  const end = Math.ceil(Date.parse(range.to) / 1000 / size) * size;
  if (Number.isNaN(first) || Number.isNaN(end)) throw new TypeError("from and to must be ISO moments");
  const memory = new Map<string, unknown>();
  for (const { from, to } of await planChunks(derivation, { from: first, to: end }, options.store)) {
    options.signal.throwIfAborted();
    const version = String(BigInt(options.clock.now()) * 1000n);
    const rebuild = { from: engineSeconds(from), to: engineSeconds(to), starts: undefined, version };
    await runWhole(derivation, options.store, rebuild, { memory });
    options.onProgress?.({ reached: new Date(to * 1000).toISOString(), share: (to - first) / (end - first) });
  }
}
