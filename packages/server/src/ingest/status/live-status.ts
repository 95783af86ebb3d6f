import { behindMs } from "../coverage/judge-stream.ts";
import { isSelective } from "../coverage/feeding.ts";
import type { StreamState } from "../control/save-batch.ts";
import type { Clock } from "../clock.ts";
import type { Deriver } from "../derive.ts";
import type { Gathering } from "../gather-streams.ts";
import type { Planned } from "../plan-streams.ts";
import type { StreamWatch } from "../stream-watch.ts";
import type { HostUse, Upstreams } from "../upstreams.ts";

export type LiveStream = {
  readonly name: string;
  readonly title: string;
  readonly state: StreamState;
  readonly note: string | null;
  readonly cursor: Readonly<Record<string, string | number | boolean | null>> | null;
  /** ISO; the stream is complete up to here. */
  readonly reached: string | null;
  /** ISO; the earliest time the live stream covers. */
  readonly since: string | null;
  readonly lagSeconds: number | null;
  /** Further behind than its turns explain; a selective stream takes many turns for a round. */
  readonly isBehind: boolean;
  readonly rowsPerSecond: number;
  /** In this run. */
  readonly errors: number;
  readonly lastError: string | null;
  readonly lastErrorAt: string | null;
};

/** State known only to the ingesting process, not to the records; plain JSON. */
export type LiveStatus = {
  readonly streams: readonly LiveStream[];
  readonly hosts: Readonly<Record<string, HostUse>>;
  /** Derivation → queued buckets. */
  readonly derivations: Readonly<Record<string, number>>;
};

export type LiveParts = {
  readonly planned: readonly Planned[];
  readonly gathering: Map<string, Gathering>;
  readonly clock: Clock;
  readonly venueNow: () => number;
  readonly upstreams: Pick<Upstreams, "use">;
  readonly deriver: Pick<Deriver, "pending">;
};

export function readLive(parts: LiveParts): LiveStatus {
  const streams = parts.planned.flatMap((plan) => {
    const watch = parts.gathering.get(plan.connector.name)?.watch;
    return watch === undefined ? [] : [toStream(plan, watch, parts)];
  });
  return { streams, hosts: parts.upstreams.use(), derivations: parts.deriver.pending() };
}

function toStream({ connector }: Planned, watch: StreamWatch, { clock, venueNow }: LiveParts): LiveStream {
  const { reached, caughtUpAt } = watch;
  const lagMs = reached === undefined ? undefined : Math.max(0, venueNow() - reached);
  const may = behindMs(connector);
  // Without events the newest row ages, but a stream that just found nothing more is not behind.
  const isFresh = watch.state === "caught_up" && caughtUpAt !== undefined && clock.now() - caughtUpAt <= may;
  return {
    name: watch.name,
    title: connector.title,
    state: watch.state,
    note: watch.note ?? null,
    cursor: (watch.cursor as LiveStream["cursor"] | undefined) ?? null,
    reached: iso(reached),
    since: iso(watch.since),
    lagSeconds: lagMs === undefined ? null : lagMs / 1000,
    isBehind: !isFresh && !isSelective(connector) && lagMs !== undefined && lagMs > may,
    rowsPerSecond: watch.rowsPerSecond(clock.now()),
    errors: watch.errors,
    lastError: watch.lastError ?? null,
    lastErrorAt: iso(watch.lastErrorAt),
  };
}

function iso(timestamp: number | undefined): string | null {
  return timestamp === undefined ? null : new Date(timestamp).toISOString();
}
