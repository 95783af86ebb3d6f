import { deriveChangedDays } from "../../ingest/day/derive-days-regularly.ts";
import type { InTurn } from "../../definition/pacing.ts";
import { rebuildFold, type RebuildFold } from "../../ingest/fold/rebuild-fold.ts";
import { findUnfinished, saveMadeThrough, saveUnfinished } from "../../ingest/control/derivation-record.ts";
import { STAMP_MARGIN_MS } from "../../ingest/timestamps.ts";
import { runRefresh } from "../../ingest/refresh/refresh-regularly.ts";
import { deriveBuckets, nameOf, type DerivedPart, madeBy } from "./derive-buckets.ts";
import { createLimiter } from "../../ingest/concurrency.ts";
import { sourcesOf } from "../../definition/derivation.ts";
import type { TableDefinition } from "../../definition/table.ts";

/** Days and refreshes read more buckets and folds than they declare (marks, hours), so they run after all of them. */
const RANK: Readonly<Record<DerivedPart["kind"], number>> = { buckets: 0, fold: 0, days: 1, refresh: 1 };

/** Whether something that a part reads is not derived yet. */
function waitsFor(part: DerivedPart, left: ReadonlySet<DerivedPart>): boolean {
  const read = new Set(sourcesOfPart(part).map(({ name }) => name));
  const after = new Set(part.kind === "days" ? part.derivation.after : []);
  return [...left].some(
    (other) =>
      other !== part &&
      (RANK[other.kind] < RANK[part.kind] ||
        after.has(nameOf(other)) ||
        madeBy(other).some(({ name }) => read.has(name))),
  );
}

function sourcesOfPart(part: DerivedPart): readonly TableDefinition[] {
  if (part.kind === "fold") return part.fold.from.map(({ table }) => table);
  if (part.kind === "buckets") return sourcesOf(part.derivation);
  return part.kind === "refresh" ? part.refresh.from : part.derivation.from;
}

export type Shown = { readonly what: string; readonly share: number; readonly done: string; readonly isOver?: true };
export type DerivedResult = { readonly name: string; readonly made: string; readonly seconds: number };
export type DeriveRun = RebuildFold & {
  readonly onShown: (shown: Shown) => void;
  /** Maximum parts derived concurrently. */
  readonly atOnce: number;
};

/** Limits the days derived concurrently, across all tables. */
type TakingTurns = DeriveRun & { readonly withLock: InTurn };

/**
 * Derives tables: each as soon as its sources are ready, several concurrently. If one fails no more are started, and
 * its error is thrown once the running ones have ended.
 */
export async function deriveAll(
  parts: readonly DerivedPart[],
  isWhole: boolean,
  run: DeriveRun,
): Promise<readonly DerivedResult[]> {
  const done: DerivedResult[] = [];
  const left = new Set(parts);
  const underWay = new Map<DerivedPart, Promise<void>>();
  const began = new Map<DerivedPart, number>();
  const failures: unknown[] = [];
  if (isWhole) await noteBegun(parts, run);
  // The last tables wait for all others, so days of one table are derived concurrently, or a processor would idle.
  const withLock = createLimiter(run.atOnce);
  const begin = (part: DerivedPart): void => {
    const work = async (): Promise<void> => {
      try {
        began.set(part, await begunAt(part, isWhole, run));
        done.push(await deriveShown(part, isWhole, { ...run, withLock }));
        await saveMade(part, began, run);
      } catch (error) {
        failures.push(error);
      }
    };
    underWay.set(
      part,
      work().then(() => void (underWay.delete(part) && left.delete(part))),
    );
  };
  while (left.size > 0 && failures.length === 0 && !run.signal.aborted) {
    const ready = [...left].filter((part) => !underWay.has(part) && !waitsFor(part, left));
    for (const part of ready.slice(0, run.atOnce - underWay.size)) begin(part);
    if (underWay.size === 0) throw new TypeError("derived tables wait for each other");
    await Promise.race(underWay.values());
  }
  await Promise.all(underWay.values());
  if (failures.length > 0) throw failures[0];
  run.signal.throwIfAborted();
  for (const part of began.keys()) await saveMade(part, began, run);
  return done;
}

/**
 * Saves the time range of a part's run, whose sources were complete before it began. Later work starts after the entire
 * run; after this part, if the run is interrupted after it.
 */
async function saveMade(part: DerivedPart, times: ReadonlyMap<DerivedPart, number>, run: DeriveRun): Promise<void> {
  const began = times.get(part);
  if (began === undefined || (part.kind !== "buckets" && part.kind !== "fold")) return;
  await saveMadeThrough(run.db, nameOf(part), { began, ended: run.clock.now() });
}

/** Marks parts as unfinished: if the run is interrupted, those not reached are derived completely too. */
async function noteBegun(parts: readonly DerivedPart[], { db, clock }: DeriveRun): Promise<void> {
  const now = clock.now();
  const began = new Date(now - STAMP_MARGIN_MS).toISOString();
  for (const part of parts)
    if (part.kind !== "refresh") await saveUnfinished(db, nameOf(part), { began }, new Date(now));
}

/** When a part began: for the continuation of an interrupted run, when that run began. */
async function begunAt(part: DerivedPart, isWhole: boolean, { db, clock }: DeriveRun): Promise<number> {
  const cutOff = isWhole || part.kind === "buckets" ? undefined : await findUnfinished(db, nameOf(part));
  return cutOff ? Date.parse(cutOff.began) : clock.now();
}

async function deriveShown(part: DerivedPart, isWhole: boolean, run: TakingTurns): Promise<DerivedResult> {
  const what = nameOf(part);
  const started = run.clock.monotonicMs();
  run.onShown({ what, share: 0, done: "" });
  const made = await derivePart(part, isWhole, run, (share, done) => run.onShown({ what, share, done }));
  run.onShown({ what, share: 1, done: made, isOver: true });
  return { name: what, made, seconds: (run.clock.monotonicMs() - started) / 1000 };
}

async function derivePart(
  part: DerivedPart,
  isWhole: boolean,
  run: TakingTurns,
  onProgress: (share: number, text: string) => void,
): Promise<string> {
  if (part.kind === "buckets") return deriveBuckets(part.derivation, isWhole, run, onProgress);
  if (part.kind === "fold") {
    const done = await rebuildFold(part.fold, isWhole, {
      ...run,
      onProgress: ({ share, keys, rows }) => onProgress(share, `${keys} keys, ${rows} rows`),
    });
    return `${done.rows} rows of ${done.keys} keys`;
  }
  if (part.kind === "refresh") {
    const done = await runRefresh(part.refresh, { now: run.clock.now(), since: undefined, isWhole: true }, run);
    return `${done} rows`;
  }
  const days = await deriveChangedDays(part.derivation, isWhole, {
    ...run,
    onProgress: (_name, day, count, of) => onProgress(count / of, day),
  });
  return `${days} days`;
}
