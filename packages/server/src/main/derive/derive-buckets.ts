import { sourcesOf, type Derivation } from "../../definition/derivation.ts";
import { name, sql } from "../../definition/sql.ts";
import type { RebuildFold } from "../../ingest/fold/rebuild-fold.ts";
import { findDerivedThrough, findUnfinished, saveDerivedThrough } from "../../ingest/control/derivation-record.ts";
import { deriveSince } from "../../ingest/derive-since.ts";
import { rebuildAll } from "../../ingest/rebuild.ts";
import { STAMP_MARGIN_MS } from "../../ingest/timestamps.ts";
import type { DaysDerivation } from "../../definition/day-derivation.ts";
import type { Fold } from "../../definition/fold.ts";
import type { Refresh } from "../../definition/regular-jobs.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { Store } from "../../store/store.ts";

/** No notification: readers of the table look up the derived buckets themselves. */
const toNobody = () => () => undefined;

/**
 * Derives time buckets: all of them (also to finish an interrupted full run), or those changed since the last
 * derivation.
 */
export async function deriveBuckets(
  derivation: Derivation,
  isWhole: boolean,
  run: RebuildFold,
  onProgress: (share: number, text: string) => void,
): Promise<string> {
  const { store, db, clock, signal } = run;
  const began = new Date(clock.now() - STAMP_MARGIN_MS);
  const restarts = isWhole || (await findUnfinished(db, derivation.name)) !== undefined;
  const through = restarts ? undefined : await findDerivedThrough(db, derivation.name);
  if (through !== undefined) {
    await deriveSince(derivation, { ...run, remade: toNobody, onDerived: store.changed }, through, signal);
  } else {
    const range = await findRange(derivation, store);
    if (range) {
      await rebuildAll(derivation, range, {
        store,
        clock,
        signal,
        onProgress: ({ share, reached }) => onProgress(share, reached),
      });
    }
  }
  // Concurrent derivations raise versions, so rows made here may have an older one.
  store.changed(derivation.into, "unknown");
  await saveDerivedThrough(db, derivation.name, began, new Date(clock.now()));
  return through === undefined ? "all" : `since ${through.toISOString()}`;
}

/** From the first to the last row of its sources (ISO); undefined if there are none. */
export async function findRange(
  derivation: Derivation,
  store: Pick<Store, "rows">,
): Promise<{ from: string; to: string } | undefined> {
  const timestamp = name(derivation.timestamp);
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const source of sourcesOf(derivation)) {
    const [row] = await store.rows<{ n: string; from: string; to: string }>(
      sql`SELECT toString(count()) AS n, toString(toUnixTimestamp(min(${timestamp}))) AS from, toString(toUnixTimestamp(max(${timestamp}))) AS to FROM ${source}`,
    );
    if (row === undefined || row.n === "0") continue;
    from = Math.min(from, Number(row.from));
    to = Math.max(to, Number(row.to) + 1);
  }
  return to === 0 ? undefined : { from: new Date(from * 1000).toISOString(), to: new Date(to * 1000).toISOString() };
}

/** A unit of derivation, which fills one or several tables. */
export type DerivedPart =
  | { readonly kind: "buckets"; readonly derivation: Derivation }
  | { readonly kind: "fold"; readonly fold: Fold }
  | { readonly kind: "days"; readonly derivation: DaysDerivation }
  | { readonly kind: "refresh"; readonly refresh: Refresh };

export function nameOf(part: DerivedPart): string {
  if (part.kind === "fold") return part.fold.name;
  return part.kind === "refresh" ? part.refresh.name : part.derivation.name;
}

/** The tables that a part fills. */
export function madeBy(part: DerivedPart): readonly TableDefinition[] {
  if (part.kind === "fold") return part.fold.into;
  return [part.kind === "refresh" ? part.refresh.into : part.derivation.into];
}
