import type { Derivation, Rebuild, Touched } from "../definition/derivation.ts";
import type { Store } from "../store/store.ts";

/** Their keys are bound, and go to the engine in an address of at most a megabyte. */
const KEYS_A_STATEMENT = 1000;
/** A look-up is bounded as a statement that writes is, not as an answer. */
const FIND_SECONDS = 600;

/** Makes buckets again; where the derivation tells the touched keys, some of these at a time, earliest first. */
export async function runRebuild(derivation: Derivation, store: Store, rebuild: Rebuild): Promise<void> {
  if (!derivation.touched) return store.run(derivation.rebuild(rebuild));
  const settings = { max_execution_time: FIND_SECONDS };
  const found = await store.rows<Touched>(derivation.touched(rebuild), { settings });
  const touched = found.sort((a, b) => a.first - b.first || a.last - b.last);
  for (let place = 0; place < touched.length; place += KEYS_A_STATEMENT) {
    await store.run(derivation.rebuild({ ...rebuild, touched: touched.slice(place, place + KEYS_A_STATEMENT) }));
  }
}
