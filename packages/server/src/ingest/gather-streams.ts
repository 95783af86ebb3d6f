import type { Announcer } from "./announcer.ts";
import { fillGaps } from "./gaps/fill-gaps.ts";
import { hostsOf } from "./hosts-of.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { withinTime } from "./leases/within-time.ts";
import type { Planned } from "./plan-streams.ts";
import { replayRegularly } from "./replay/replay-regularly.ts";
import { startStream, type Ground, type StreamEngine } from "./run-stream.ts";
import type { IngestOptions } from "./schedule.ts";
import { createStreamWatch, type StreamWatch } from "./stream-watch.ts";
import type { Upstreams } from "./upstreams.ts";
import { walkPast } from "./walk-past.ts";
import type { Wakes } from "./wakes.ts";
import { createWrite } from "./write.ts";

export type GatherOptions = Omit<IngestOptions, "metrics" | "store" | "records"> & {
  readonly metrics: IngestMetrics;
  readonly upstreams: Upstreams;
  readonly announcer: Announcer;
  readonly wakes: Wakes;
  /** All streams, also those of others. */
  readonly planned: readonly Planned[];
  /** Of the streams that run here now, by name. */
  readonly gathering: Map<string, Gathering>;
};

/** A stream that runs here. */
export type Gathering = {
  readonly watch: StreamWatch;
  readonly engine: StreamEngine;
  readonly since: number;
  /** Aborted when it has to end here; what goes on beside it is put into `beside`, and waited for. */
  readonly signal: AbortSignal;
  readonly beside: Set<Promise<unknown>>;
};

/**
 * Runs streams, fills their gaps and reads their parked pages again, until aborted. Resolves when nothing of it goes on.
 * `mine` are all where no other process gathers.
 */
export async function gatherStreams(
  options: GatherOptions,
  mine: readonly Planned[],
  ground: Ground,
  signal: AbortSignal,
): Promise<void> {
  const { planned, clock, log, fillGapsEverySeconds, announcer, gathering } = options;
  const upstreams = options.upstreams.under(ground.db);
  const engine = { ...options, ...ground, upstreams, deriver: announcer.under(ground.db) };
  const names = mine.map(({ connector }) => connector.name);
  const isAll = mine.length === planned.length;
  const beside = new Set<Promise<unknown>>();
  const streams = mine.map((plan) => {
    const watch = createStreamWatch(plan.connector.name);
    gathering.set(watch.name, { watch, engine, since: clock.now(), signal, beside });
    return startStream(engine, plan, watch, signal);
  });
  const filling = fillGaps({
    planned,
    mine: isAll ? undefined : new Set(names),
    db: ground.db,
    clock,
    log,
    signal,
    everySeconds: fillGapsEverySeconds,
    walk: async ({ by, gaps, range }, cut) => {
      await walkPast(engine, { connector: by, gaps, range, signal: cut, attempts: 1 });
    },
  });
  const replaying = replayRegularly({
    ...engine,
    streams: isAll ? undefined : names,
    write: createWrite({ ...engine, announceKnown: true }),
    flush: engine.deriver.flush,
    signal,
  });
  await Promise.all([...streams, filling, replaying]);
  await Promise.allSettled(beside);
  for (const name of names) gathering.delete(name);
  if (isAll) return;
  const called = new Set(hostNames(planned, new Set(gathering.keys())));
  const left = hostNames(planned, new Set(names)).filter((host) => !called.has(host));
  await withinTime(LEAVE_MS, clock, upstreams.leave(left)).catch(() => undefined);
}

/** A part that is not given back runs out by itself. */
const LEAVE_MS = 2000;

const hostNames = (planned: readonly Planned[], streams: ReadonlySet<string>): string[] =>
  planned
    .filter(({ connector }) => streams.has(connector.name))
    .flatMap(({ connector }) => hostsOf(connector).map(({ name }) => name));
