import type { DayDerivation } from "../../definition/day-derivation.ts";

/** The derivations, each behind those that it reads. Throws TypeError where they wait for each other. */
export function inOrder(derivations: readonly DayDerivation[]): DayDerivation[] {
  const names = new Set(derivations.map(({ name }) => name));
  const sorted: DayDerivation[] = [];
  const done = new Set<string>();
  while (sorted.length < derivations.length) {
    const ready = derivations.filter(
      ({ name, after }) => !done.has(name) && after.every((other) => done.has(other) || !names.has(other)),
    );
    if (ready.length === 0) throw new TypeError("day derivations wait for each other");
    for (const derivation of ready) {
      sorted.push(derivation);
      done.add(derivation.name);
    }
  }
  return sorted;
}
