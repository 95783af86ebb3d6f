import type { GapKeeper } from "./gap-keeper.ts";
import type { Shard } from "./shard.ts";
import type { PacedRun } from "./socket-run.ts";

/** The key of the gap between the last run of the service and the first sync of this one. */
export const START = "start";
/** The key of gaps that a run before this one left open. */
export const EARLIER = "earlier run";

/**
 * Reads off the sockets how far the stream is; while one is down it does not move. Once the stream stands, a socket for
 * markets that have become known since counts from its own first connection on.
 */
export function observeShards({ watch, venueNow }: PacedRun, all: readonly Shard[], gaps: GapKeeper): void {
  const isFirst = watch.reached === undefined || gaps.has(START) || gaps.has(EARLIER);
  const shards = isFirst ? all : all.filter((shard) => shard.hasStood());
  const through = shards.map((shard) => shard.storedThrough());
  const areUp = shards.length > 0 && through.every((moment) => moment !== undefined);
  if (!areUp) {
    watch.state = shards.length === 0 ? "starting" : "failing";
    return;
  }
  const areSynced = all.every((shard) => shard.isSynced());
  if (isFirst && !areSynced) {
    watch.state = "running";
    return;
  }
  const now = venueNow();
  watch.since ??= now;
  watch.reached = Math.max(watch.reached ?? watch.since, Math.min(now, ...through));
  watch.state = areSynced ? "caught_up" : "running";
  if (areSynced) watch.caughtUpAt = now;
  gaps.close(START, now);
  gaps.close(EARLIER, now);
}
