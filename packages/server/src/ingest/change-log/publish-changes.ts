import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema, StoredChanges } from "../../records/schema.ts";
import { type Clock, withinTime } from "../clock.ts";
import { STAMP_MARGIN_MS } from "../timestamps.ts";
import { appendToLog, beginLog, endLog, pruneLog } from "./log-record.ts";
import { mergeSpans, type LeftSpan } from "../../definition/spans.ts";
import type { ChangeCounts } from "../../store/change-counts.ts";

/** Changes that this process stored and has not published yet. */
type UnpublishedChanges = {
  /** Takes all of them. With `isUnsure`, other rows of these tables may have been removed too. */
  readonly take: (isUnsure: boolean) => StoredChanges;
  /** Returns changes whose publication failed. */
  readonly giveBack: (changes: StoredChanges) => void;
};

type Change = { left: readonly LeftSpan[]; unknown: boolean };

/** Above this many separate spans of removed rows, the spans are published as unknown. */
const MAX_SPANS = 1000;

export function collectUnpublished({ onChanged }: Pick<ChangeCounts, "onChanged">): UnpublishedChanges {
  const changes = new Map<string, Change>();
  const add = (table: string, { left, unknown }: Change): void => {
    const before = changes.get(table);
    const merged = mergeSpans([...(before?.left ?? []), ...left]);
    const isMany = merged.length > MAX_SPANS;
    changes.set(table, {
      left: isMany ? [] : merged,
      unknown: unknown || isMany || before?.unknown === true,
    });
  };
  onChanged(({ name }, left = []) =>
    add(name, left === "unknown" ? { left: [], unknown: true } : { left, unknown: false }),
  );
  return {
    take: (isUnsure) => {
      const taken = [...changes].map(([table, { left, unknown }]) => ({
        table,
        left: left.map(({ from, to }) => [from, to] as const),
        unknown: unknown || isUnsure,
      }));
      changes.clear();
      return taken;
    },
    giveBack: (taken) => {
      if (taken === "everything") return;
      for (const { table, left, unknown } of taken)
        add(table, { left: left.map(([from, to]) => ({ from, to })), unknown });
    },
  };
}

export type PublishOptions = {
  /** Writes under the lease with this token. */
  readonly db: Kysely<RecordsSchema>;
  readonly token: number;
  readonly unpublished: UnpublishedChanges;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
};

const EVERY_MS = 150;
const PRUNE_EVERY_MS = 60_000;
const TRY_AGAIN_MS = 500;
const MAX_MS = 5_000;

/**
 * While this process leads, publishes what it stores in the change log of the records, which indexes of other processes
 * follow. Returns a function that ends publishing, to be called once nothing more is stored. Throws if it cannot begin.
 */
export async function publishChanges({
  db,
  token,
  unpublished,
  clock,
  log,
}: PublishOptions): Promise<() => Promise<void>> {
  const over = new AbortController();
  const began = clock.monotonicMs();
  let through = await beginLog(db, token);
  const publish = async (): Promise<void> => {
    // A new leader whose clock is slow stamps rows earlier than stored ones for up to this margin.
    const changes = unpublished.take(clock.monotonicMs() - began < STAMP_MARGIN_MS);
    try {
      // `through` was read before these changes were taken: only up to then is the log known to be complete.
      through = await withinTime(MAX_MS, clock, appendToLog(db, token, changes, through));
    } catch (error) {
      unpublished.giveBack(changes);
      throw error;
    }
  };
  const run = async (): Promise<void> => {
    let [prunedAt, isPublishing] = [clock.monotonicMs(), true];
    const cycle = async (): Promise<void> => {
      await publish();
      if (clock.monotonicMs() - prunedAt < PRUNE_EVERY_MS) return;
      prunedAt = clock.monotonicMs();
      await pruneLog(db);
    };
    while (!over.signal.aborted) {
      try {
        await cycle();
        isPublishing = true;
      } catch (error) {
        if (isPublishing) log.warn({ err: error }, "changes cannot be published in the change log; retrying");
        isPublishing = false;
      }
      await clock.sleep(isPublishing ? EVERY_MS : TRY_AGAIN_MS, over.signal).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    over.abort();
    await running;
    // If this entry is missing, the next leader publishes that anything may have changed.
    await withinTime(MAX_MS, clock, endLog(db, token)).catch(() => undefined);
  };
}
