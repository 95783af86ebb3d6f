import type { TableDefinition } from "../definition/table.ts";
import { newestAhead } from "../store/stamps.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";

/** By store the last version of each table. */
const last = new WeakMap<object, Map<string, bigint>>();

/**
 * A version for rows that a statement is about to write (microseconds since 1970): behind every one that the table has,
 * whatever the clock says, or they would count as older than the rows whose place they take.
 */
export async function nextVersion(
  into: TableDefinition,
  { store, clock }: { readonly store: Pick<Store, "rows">; readonly clock: Pick<Clock, "now"> },
): Promise<bigint> {
  const known = last.get(store) ?? new Map<string, bigint>();
  last.set(store, known);
  const now = BigInt(Math.floor(clock.now())) * 1000n;
  const before = known.get(into.name) ?? (await findAhead(into, store, now));
  const version = now > before ? now : before + 1n;
  known.set(into.name, version);
  return version;
}

async function findAhead(into: TableDefinition, store: Pick<Store, "rows">, now: bigint): Promise<bigint> {
  const question = newestAhead(into, now);
  const [found] = question === undefined ? [] : await store.rows<{ newest: string }>(question);
  return BigInt(found?.newest ?? 0);
}
