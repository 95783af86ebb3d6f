import type { TableDefinition } from "../definition/table.ts";
import { newestAhead, risingStamps, type Stamps } from "../store/stamps.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";

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
  const known = stampsOf.get(store) ?? new Map<string, Stamps>();
  stampsOf.set(store, known);
  const newest = known.has(into.name) ? 0n : await findAhead(into, store, clock.now());
  // Another call may have created it meanwhile.
  const stamps = known.get(into.name) ?? risingStamps();
  known.set(into.name, stamps);
  stamps.startAfter(newest);
  return stamps.next(clock.now());
}

async function findAhead(into: TableDefinition, store: Pick<Store, "rows">, nowMs: number): Promise<bigint> {
  const question = newestAhead(into, risingStamps().next(nowMs));
  const [found] = question === undefined ? [] : await store.rows<{ newest: string }>(question);
  return BigInt(found?.newest ?? 0);
}
