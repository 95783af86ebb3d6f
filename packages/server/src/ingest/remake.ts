import type { Derivation, DerivationMemory, Rebuild } from "../definition/derivation.ts";
import type { LeftSpan } from "../definition/spans.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { engineSeconds } from "./timestamps.ts";
import { runRebuild, versionAhead } from "./rebuild.ts";
import { bind, joined, name, sql } from "../definition/sql.ts";

/** Call before rows of a derived table are rebuilt; call its result once after, with the buckets' times as rows. */
export type Remade = (table: TableDefinition) => (rows: readonly InsertRow[], left: readonly InsertRow[]) => void;

export type RemakeOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly remade: Remade;
  /** `left`: the seconds whose rows were removed. */
  readonly onDerived?: (table: TableDefinition, left?: readonly LeftSpan[]) => void;
  readonly memory?: DerivationMemory;
};

/**
 * Buckets (Unix seconds, ascending); rows were removed from those in `left`. `since` (Unix ms): when the first of the
 * others was touched.
 */
export type Buckets = {
  readonly starts: readonly number[];
  readonly left: readonly number[];
  readonly since?: number | undefined;
};

/** Rebuilds buckets, deletes obsolete rows, and notifies the readers of the table. */
export async function remake(derivation: Derivation, options: RemakeOptions, buckets: Buckets): Promise<void> {
  const { store, remade, onDerived, memory } = options;
  const { starts, left, since } = buckets;
  if (starts.length === 0) return;
  const report = remade(derivation.into);
  let gone: readonly LeftSpan[] = [];
  try {
    const emptied = new Set(left);
    const touched = starts.filter((start) => !emptied.has(start));
    const version = await versionAhead(derivation.into, options);
    if (touched.length > 0) await runRebuild(derivation, store, rebuildOf(derivation, touched, version, since), memory);
    if (left.length > 0) {
      await runRebuild(derivation, store, rebuildOf(derivation, left, version, undefined), memory);
      if (!derivation.marksGone && (await dropLeft(derivation, store, left, version)))
        gone = left.map((start) => ({ from: start, to: start + derivation.bucketSeconds - 1 }));
    }
    onDerived?.(derivation.into, gone);
  } finally {
    // Part of it may be written even after a failure.
    report(timestampsOf(derivation, starts), timestampsOf(derivation, left));
  }
}

/** The rebuild of these buckets (ascending Unix seconds). */
function rebuildOf(
  derivation: Derivation,
  starts: readonly number[],
  version: bigint,
  since: number | undefined,
): Rebuild {
  return {
    from: engineSeconds(starts[0] ?? 0),
    to: engineSeconds((starts.at(-1) ?? 0) + derivation.bucketSeconds),
    starts,
    version: String(version),
    ...(since === undefined ? {} : { changedSince: String(BigInt(Math.max(0, since)) * 1000n) }),
  };
}

function timestampsOf({ into }: Derivation, starts: readonly number[]): InsertRow[] {
  const timestamp = into.keyRange;
  return timestamp === undefined ? [] : starts.map((start) => ({ [timestamp]: start }));
}

/**
 * Deletes rows of earlier versions in these rebuilt buckets (Unix seconds): what the rebuild did not make again no
 * longer exists. Checks first, because a deletion is expensive. Returns whether there were any.
 */
async function dropLeft(
  { into }: Derivation,
  store: Store,
  starts: readonly number[],
  version: bigint,
): Promise<boolean> {
  if (into.keyRange === undefined || !("version" in into.columns)) {
    throw new TypeError(`${into.name} cannot lose rows: it needs a keyRange and versions`);
  }
  const until = bind("UInt64", version);
  const timestamp = sql`toDateTime(arrayJoin(${bind("Array(UInt32)", starts)}), 'UTC')`;
  const isDay = into.columns[into.keyRange]?.stored === "Date";
  const inBuckets = sql`${name(into.keyRange)} IN (SELECT ${isDay ? sql`toDate(${timestamp}, 'UTC')` : timestamp})`;
  const keys = joined(into.key.map(name), sql`, `);
  const [found] = await store.rows(
    sql`SELECT 1 AS found FROM ${into} WHERE ${inBuckets} GROUP BY ${keys} HAVING max(version) < ${until} LIMIT 1`,
  );
  if (found === undefined) return false;
  await store.alter(sql`DELETE FROM ${into} WHERE ${inBuckets} AND version < ${until}`);
  return true;
}
