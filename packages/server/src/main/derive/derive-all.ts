import { deriveChangedDays } from "../../ingest/day/derive-days-regularly.ts";
import type { InTurn } from "../../definition/in-turn.ts";
import { rebuildFold, type RebuildFold } from "../../ingest/fold/rebuild-fold.ts";
import { findUnfinished, saveMadeThrough, saveUnfinished } from "../../ingest/control/derivation-record.ts";
import { STAMP_MARGIN_MS } from "../../ingest/moments.ts";
import { runRefresh } from "../../ingest/refresh/refresh-regularly.ts";
import { deriveBuckets, nameOf, type DerivedPart, madeBy } from "./derive-buckets.ts";
import { turns } from "../../ingest/turns.ts";
import { sourcesOf } from "../../definition/derivation.ts";
import type { TableDefinition } from "../../definition/table.ts";

/** Days and refreshes read more of buckets and folds than they name (marks, hours). */
const RANK: Readonly<Record<DerivedPart["kind"], number>> = { buckets: 0, fold: 0, days: 1, refresh: 1 };

/** Whether something that it reads is not worked out yet. */
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
  /** How many parts are worked out at a time. */
  readonly atOnce: number;
};

/** Days of all tables together are worked out so many at a time. */
type TakingTurns = DeriveRun & { readonly inTurn: InTurn };

/**
 * Works derived tables out: each as soon as what it reads is there, several at a time. Where one fails none is begun
 * any more, and its error is thrown once those under way have ended.
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
  // The last tables wait for all others: days of one table are made beside each other, or a processor would idle.
  const inTurn = turns(run.atOnce);
  const begin = (part: DerivedPart): void => {
    const work = async (): Promise<void> => {
      try {
        began.set(part, await begunAt(part, isWhole, run));
        done.push(await deriveShown(part, isWhole, { ...run, inTurn }));
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
 * What a part read had been made before it began. Whoever works on begins after all of the run; after this part, where
 * the run is cut off behind it.
 */
async function saveMade(part: DerivedPart, times: ReadonlyMap<DerivedPart, number>, run: DeriveRun): Promise<void> {
  const began = times.get(part);
  if (began === undefined || (part.kind !== "buckets" && part.kind !== "fold")) return;
  await saveMadeThrough(run.db, nameOf(part), { began, ended: run.clock.now() });
}

/** Of a run that is cut off, what it did not come to is then worked out whole as well. */
async function noteBegun(parts: readonly DerivedPart[], { db, clock }: DeriveRun): Promise<void> {
  const now = clock.now();
  const began = new Date(now - STAMP_MARGIN_MS).toISOString();
  for (const part of parts)
    if (part.kind !== "refresh") await saveUnfinished(db, nameOf(part), { began }, new Date(now));
}

/** Of what goes on with a run that was cut off, when that began. */
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
