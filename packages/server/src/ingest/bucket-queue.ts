import { sourcesOf, type Derivation, type DerivationMemory } from "../definition/derivation.ts";
import type { InsertRow } from "../definition/table.ts";
import { createBacklog } from "./backlog.ts";
import { BUCKETS_PER_CYCLE, deriveSince } from "./derive-since.ts";
import type { DeriverOptions } from "./derive.ts";
import { createQueue, type Queue, type QueueOptions, type QueueWork } from "./queue.ts";
import { remake, type Remade } from "./remake.ts";
import { rowTimestamp, reportsSince } from "./timestamps.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";

/** `isLeft`: rows were removed from the bucket, so rows derived from them may have to be deleted. */
type Bucket = { readonly start: number; readonly isLeft: boolean };

type Options = QueueOptions &
  Pick<DeriverOptions, "onDerived"> & { readonly remade: Remade; readonly memory: DerivationMemory };

/** Queue of a derivation by time buckets. */
export function createBucketQueue(derivation: Derivation, options: Options): Queue {
  const { name, bucketSeconds, timestamp, gatherSeconds } = derivation;
  const reads = sourcesOf(derivation);
  const unreported = reads.find((source) => !reportsSince(source));
  if (unreported) throw new TypeError(`${unreported.name} has no ingested_at: ${name} cannot resume`);
  const backlog = createBacklog<Bucket>({
    ...options,
    name,
    placeOf: ({ start }) => start,
    together: (one, other) => (one.isLeft ? one : other),
    order: (one, other) => one.start - other.start,
  });
  const lookAgain = createLookAgain(derivation, options);
  const touched = (rows: readonly InsertRow[], isLeft: boolean): Bucket[] => {
    const starts = new Set(rows.map((row) => Math.floor(rowTimestamp(row[timestamp]) / bucketSeconds) * bucketSeconds));
    return Array.from(starts, (start) => ({ start, isLeft }));
  };
  const work: QueueWork<Bucket> = {
    name,
    reads,
    makes: [derivation.into],
    backlog,
    maxPending: 50_000,
    gatherSeconds,
    touched: function* (_table, rows, left) {
      yield* touched(left, true);
      yield* touched(rows, false);
    },
    isLeft: ({ isLeft }) => isLeft,
    resume: async (found, signal) => {
      await deriveSince(derivation, options, found, signal);
      return found;
    },
    cycle: async () => {
      const again = await lookAgain();
      backlog.add(
        again.map((start) => ({ start, isLeft: false })),
        options.clock.now(),
      );
      await backlog.cycle(BUCKETS_PER_CYCLE, async (buckets, since) => {
        const left = buckets.filter(({ isLeft }) => isLeft).map(({ start }) => start);
        await remake(derivation, options, { starts: buckets.map(({ start }) => start), left, since });
        return buckets.length;
      });
      // Some buckets are always queued while rows keep coming: only more than one turn delays what is looked up.
      if (backlog.size() >= BUCKETS_PER_CYCLE) return;
      // Never aborted: an announced row range has to be derived even if no more rows follow.
      const { signal } = new AbortController();
      await backlog.settle((sinceMs) => deriveSince(derivation, options, new Date(sinceMs), signal));
    },
  };
  return createQueue(work, options);
}

export type LookAgain = () => Promise<readonly number[]>;

/** Polls which buckets of a derivation to rebuild because of inputs outside its source tables. */
function createLookAgain(
  { again }: Derivation,
  { store, clock, memory }: { readonly store: Store; readonly clock: Clock; readonly memory: DerivationMemory },
): LookAgain {
  let requestedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (again === undefined || clock.monotonicMs() - requestedAt < again.everySeconds * 1000) return [];
    requestedAt = clock.monotonicMs();
    return again.starts({ read: (statement) => store.rows(statement), memory });
  };
}
