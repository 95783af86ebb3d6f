import type { Derivation, Slice, DerivationMemory, Rebuild, Touched } from "../definition/derivation.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { engineSeconds } from "./timestamps.ts";
import { planChunks } from "./plan-chunks.ts";
import { slicesOf } from "../definition/slices.ts";
import { FIND_SECONDS } from "./find-seconds.ts";
import { PLANNED_LESS } from "../store/statement-settings.ts";
import type { TableDefinition } from "../definition/table.ts";
import { newestAhead, risingStamps, type Stamps } from "../store/stamps.ts";

/** `reached`: the end of the chunk (ISO), or the last key of the slice. */
type RebuildProgress = { readonly reached: string; readonly share: number };
type Rebuilding = {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RebuildProgress) => void;
};

/**
 * Rebuilds a derivation over a range (ISO, half-open), chunk by chunk from the bucket that contains its start; a sliced
 * derivation is rebuilt entirely, slice by slice.
 * A rerun gives the same result. Throws StoreError, or the signal's reason between two chunks.
 */
export async function rebuildAll(
  derivation: Derivation,
  range: { readonly from: string; readonly to: string },
  options: Rebuilding,
): Promise<void> {
  if (derivation.slices) return rebuildSlices(derivation, options);
  const size = derivation.bucketSeconds;
  const first = Math.floor(Date.parse(range.from) / 1000 / size) * size;
  const end = Math.ceil(Date.parse(range.to) / 1000 / size) * size;
  if (Number.isNaN(first) || Number.isNaN(end)) throw new TypeError("from and to must be ISO timestamps");
  const memory = new Map<string, unknown>();
  for (const { from, to } of await planChunks(derivation, { from: first, to: end }, options.store)) {
    options.signal.throwIfAborted();
    const version = String(await versionAhead(derivation.into, options));
    const rebuild = { from: engineSeconds(from), to: engineSeconds(to), starts: undefined, version };
    await runWhole(derivation, options.store, rebuild, { memory });
    options.onProgress?.({ reached: new Date(to * 1000).toISOString(), share: (to - first) / (end - first) });
  }
}

/**
 * A slice's keys are adjacent in the read order, so its groups come one after the other; with several threads they
 * would have to be sorted again, which costs as much as the rest.
 */
const IN_ORDER = { optimize_aggregation_in_order: 1, max_threads: 1 };

/**
 * Rebuilds everything, slice by slice (the derivation must define slices). `reached` is the last key of a slice. A
 * rerun gives the same result. Throws StoreError, or the signal's reason between two slices.
 */
export async function rebuildSlices(
  derivation: Derivation,
  { store, clock, signal, onProgress }: Rebuilding,
): Promise<void> {
  if (!derivation.slices) throw new TypeError(`${derivation.name} defines no slices`);
  const found = await store.rows<Slice>(derivation.slices, { settings: { max_execution_time: FIND_SECONDS } });
  const all = { from: engineSeconds(0), to: engineSeconds(0), starts: undefined };
  for (const [index, slice] of found.entries()) {
    signal.throwIfAborted();
    const version = String(await versionAhead(derivation.into, { store, clock }));
    await runWhole(derivation, store, { ...all, slice, version }, { settings: IN_ORDER });
    onProgress?.({ reached: slice.last, share: (index + 1) / found.length });
  }
}

/** Makes all rows of the buckets again, by one statement or by rows made in TypeScript. Throws StoreError. */
export async function runWhole(
  derivation: Derivation,
  store: Pick<Store, "rows" | "read" | "run" | "insert">,
  rebuild: Rebuild,
  more: { readonly memory?: DerivationMemory; readonly settings?: Readonly<Record<string, string | number>> } = {},
): Promise<void> {
  const { memory = new Map(), settings = {} } = more;
  if (derivation.rebuild) return store.run(derivation.rebuild(rebuild), settings);
  const reader = {
    read: (statement) => store.rows(statement, { settings }),
    readBytes: (statement, format) => store.read(statement, { format, settings }),
    memory,
  } satisfies Parameters<typeof derivation.rows>[1];
  for await (const rows of derivation.rows(rebuild, reader)) await store.insert(derivation.into, rows);
}

/** The keys are bound parameters, sent to the engine in a URL of at most a megabyte. */
const KEYS_A_STATEMENT = 1000;

/** Rebuilds buckets; if the derivation returns the touched keys, some of these at a time. */
export async function runRebuild(
  derivation: Derivation,
  store: Store,
  rebuild: Rebuild,
  memory?: DerivationMemory,
): Promise<void> {
  // Planning a few buckets costs more than making them.
  const planned = rebuild.starts === undefined ? {} : PLANNED_LESS;
  if (!derivation.touched) {
    return runWhole(derivation, store, rebuild, { settings: planned, ...(memory ? { memory } : {}) });
  }
  const settings = { max_execution_time: FIND_SECONDS, ...planned };
  const found = await store.rows<Touched>(derivation.touched(rebuild), { settings });
  for (const touched of slicesOf(found, KEYS_A_STATEMENT)) {
    await runWhole(derivation, store, { ...rebuild, touched }, { settings: planned });
  }
}

/** Store → table → stamps. */
const stampsOf = new WeakMap<object, Map<string, Stamps>>();

/**
 * A version for rows that a statement is about to write: above all versions in the table, whatever the clock says, or
 * they would count as older than the rows they replace.
 */
export async function versionAhead(
  into: TableDefinition,
  { store, clock }: { readonly store: Pick<Store, "rows">; readonly clock: Pick<Clock, "now"> },
): Promise<bigint> {
  const known = versionsOf(store);
  const newest = known.has(into.name) ? 0n : await findAhead(into, store, clock.now());
  // Another call may have created it meanwhile.
  const stamps = known.get(into.name) ?? risingStamps();
  known.set(into.name, stamps);
  stamps.startAfter(newest);
  return stamps.next(clock.now());
}

function versionsOf(store: object): Map<string, Stamps> {
  const known = stampsOf.get(store) ?? new Map<string, Stamps>();
  stampsOf.set(store, known);
  return known;
}

/** Has a wrapped store continue the versions of the store itself, and the store those of the wrapped one. */
export const shareVersions = (store: object, wrapped: object): void => void stampsOf.set(wrapped, versionsOf(store));

/** Looks for the versions in the store again, after another process may have written some. */
export const forgetVersions = (store: object): void => void stampsOf.delete(store);

async function findAhead(into: TableDefinition, store: Pick<Store, "rows">, nowMs: number): Promise<bigint> {
  const question = newestAhead(into, risingStamps().next(nowMs));
  const [found] = question === undefined ? [] : await store.rows<{ newest: string }>(question);
  return BigInt(found?.newest ?? 0);
}
