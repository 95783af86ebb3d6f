import { sourcesOf } from "../definition/derivation.ts";
import type { DerivationQueue } from "./derivation-queue.ts";

/** The queues whose derivations read one of these tables, or what another one makes of them. */
export function readersOf(
  tables: Iterable<{ readonly name: string }>,
  queues: readonly DerivationQueue[],
): readonly DerivationQueue[] {
  const names = new Set([...tables].map(({ name }) => name));
  for (;;) {
    const found = queues.filter(({ derivation }) => sourcesOf(derivation).some(({ name }) => names.has(name)));
    const known = names.size;
    for (const { derivation } of found) names.add(derivation.into.name);
    if (names.size === known) return found;
  }
}
