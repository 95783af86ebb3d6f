import type { Derivation, DerivationMemory, Rebuild, Touched } from "../definition/derivation.ts";
import type { Store } from "../store/store.ts";
import { PLANNED_LESS } from "../store/planned-less.ts";
import { FIND_SECONDS } from "./find-seconds.ts";
import { runWhole } from "./run-whole.ts";

/** Their keys are bound, and go to the engine in an address of at most a megabyte. */
const KEYS_A_STATEMENT = 1000;
/** One statement reads as far back as the first of its keys needs: those touched long ago go by themselves. */
const SECONDS_A_STATEMENT = 7 * 86_400;

/** Makes buckets again; where the derivation tells the touched keys, some of these at a time, earliest first. */
export async function runRebuild(
  derivation: Derivation,
  store: Store,
  rebuild: Rebuild,
  memory?: DerivationMemory,
): Promise<void> {
  // A few buckets cost more to plan than to make.
  const planned = rebuild.starts === undefined ? {} : PLANNED_LESS;
  if (!derivation.touched) {
    return runWhole(derivation, store, rebuild, { settings: planned, ...(memory ? { memory } : {}) });
  }
  const settings = { max_execution_time: FIND_SECONDS, ...planned };
  const found = await store.rows<Touched>(derivation.touched(rebuild), { settings });
  for (const touched of batches(found)) {
    await runWhole(derivation, store, { ...rebuild, touched }, { settings: planned });
  }
}

function batches(found: readonly Touched[]): Touched[][] {
  const made: Touched[][] = [];
  for (const one of found.toSorted((a, b) => a.first - b.first || a.last - b.last)) {
    const batch = made.at(-1);
    const since = batch?.[0]?.first ?? Number.NEGATIVE_INFINITY;
    if (batch && batch.length < KEYS_A_STATEMENT && one.first - since <= SECONDS_A_STATEMENT) batch.push(one);
    else made.push([one]);
  }
  return made;
}
