import type { Derivation } from "../definition/derivation.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { engineSeconds } from "./engine-seconds.ts";
import { rebuildSlices } from "./rebuild-slices.ts";
import { runWhole } from "./run-whole.ts";

/** `reached`: the end of the chunk (ISO), or the last key of the slice. */
export type RebuildProgress = { readonly reached: string; readonly share: number };

/** Buckets of one statement: a day of minutes, a month of days. */
const BUCKETS_A_CHUNK = 1440;
const CHUNK_SECONDS = 31 * 86_400;

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
  const step = Math.max(1, Math.min(BUCKETS_A_CHUNK, Math.floor(CHUNK_SECONDS / size))) * size;
  const memory = new Map<string, unknown>();
  for (let start = first; start < end; start += step) {
    options.signal.throwIfAborted();
    const to = Math.min(end, start + step);
    const version = String(BigInt(options.clock.now()) * 1000n);
    const rebuild = { from: engineSeconds(start), to: engineSeconds(to), starts: undefined, version };
    await runWhole(derivation, options.store, rebuild, { memory });
    options.onProgress?.({ reached: new Date(to * 1000).toISOString(), share: (to - first) / (end - first) });
  }
}
