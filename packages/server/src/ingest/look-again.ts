import type { Derivation, DerivationMemory } from "../definition/derivation.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";

export type LookAgain = () => Promise<readonly number[]>;

/** Which buckets of a derivation are to be made again because of what is not among its sources; asked now and then. */
export function createLookAgain(
  { again }: Derivation,
  { store, clock, memory }: { readonly store: Store; readonly clock: Clock; readonly memory: DerivationMemory },
): LookAgain {
  let askedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (again === undefined || clock.now() - askedAt < again.everySeconds * 1000) return [];
    askedAt = clock.now();
    return again.starts({ read: (statement) => store.rows(statement), memory });
  };
}
