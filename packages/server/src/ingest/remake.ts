import type { Derivation, DerivationMemory, Rebuild } from "../definition/derivation.ts";
import type { LeftSpan } from "../definition/spans.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { Left } from "../store/change-counts.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { engineSeconds } from "./timestamps.ts";
import { runRebuild, versionAhead } from "./rebuild.ts";
import { bind, joined, name, sql, type Sql } from "../definition/sql.ts";

/**
 * Call before rows of a derived table are rebuilt; call its result once after, with the buckets' times as rows, and in
 * `left` also the keys of rows that no longer exist.
 */
export type Remade = (table: TableDefinition) => (rows: readonly InsertRow[], left: readonly InsertRow[]) => void;

/** Called after rows of a derived table were written; `left`: the seconds whose rows were removed, or "unknown". */
export type OnDerived = (table: TableDefinition, left?: Left) => void;

export type RemakeOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly remade: Remade;
  readonly onDerived?: OnDerived;
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
  let obsolete: readonly InsertRow[] = [];
  try {
    const emptied = new Set(left);
    const touched = starts.filter((start) => !emptied.has(start));
    const version = await versionAhead(derivation.into, options);
    if (touched.length > 0) await runRebuild(derivation, store, rebuildOf(derivation, touched, version, since), memory);
    if (left.length > 0) {
      await runRebuild(derivation, store, rebuildOf(derivation, left, version, undefined), memory);
      if (!derivation.marksGone) obsolete = await findObsolete(derivation.into, store, left, version);
      if (obsolete.length > 0) {
        await deleteOlder(derivation.into, store, left, version).catch((error: unknown) => {
          // It may be executed although its answer was lost; the next run then finds nothing left to delete.
          onDerived?.(derivation.into, "unknown");
          throw error;
        });
        gone = left.map((start) => ({ from: start, to: start + derivation.bucketSeconds - 1 }));
      }
    }
    onDerived?.(derivation.into, gone);
  } finally {
    // Part of it may be written even after a failure.
    report(timestampsOf(derivation, starts), [...timestampsOf(derivation, left), ...obsolete]);
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

const list = (columns: readonly Sql[]): Sql => joined(columns, sql`, `);

/**
 * What the rebuild of these buckets (Unix seconds) did not make again no longer exists: one row for each key, apart
 * from its time, with the first such time.
 */
async function findObsolete(
  into: TableDefinition,
  store: Pick<Store, "rows">,
  starts: readonly number[],
  version: bigint,
): Promise<readonly InsertRow[]> {
  const { keyRange = "" } = into;
  const others = into.key.filter((column) => column !== keyRange);
  const texts = others.map((column) => sql`toString(${name(column)}) AS ${name(`old_${column}`)}`);
  const found = await store.rows<Record<string, string>>(
    sql`SELECT ${list(texts)}, toString(min(${name(keyRange)})) AS old_${name(keyRange)} FROM (SELECT ${list(into.key.map(name))} FROM ${into} WHERE ${isInBuckets(into, starts)} GROUP BY ${list(into.key.map(name))} HAVING max(version) < ${bind("UInt64", version)}) GROUP BY ${list(others.map(name))}`,
  );
  return found.map((row) => Object.fromEntries(into.key.map((column) => [column, row[`old_${column}`]])));
}

/** Deletes the rows of earlier versions in these rebuilt buckets (Unix seconds), which is expensive. */
const deleteOlder = (into: TableDefinition, store: Store, starts: readonly number[], version: bigint): Promise<void> =>
  store.alter(sql`DELETE FROM ${into} WHERE ${isInBuckets(into, starts)} AND version < ${bind("UInt64", version)}`);

function isInBuckets(into: TableDefinition, starts: readonly number[]): Sql {
  if (into.keyRange === undefined || !("version" in into.columns)) {
    throw new TypeError(`${into.name} cannot lose rows: it needs a keyRange and versions`);
  }
  const timestamp = sql`toDateTime(arrayJoin(${bind("Array(UInt32)", starts)}), 'UTC')`;
  const isDay = into.columns[into.keyRange]?.stored === "Date";
  return sql`${name(into.keyRange)} IN (SELECT ${isDay ? sql`toDate(${timestamp}, 'UTC')` : timestamp})`;
}
