import { fillGaps } from "./gaps/fill-gaps.ts";
import type { Planned } from "./plan-streams.ts";
import { replayRegularly } from "./replay/replay-parked.ts";
import { startStream, type StreamEngine } from "./run-stream.ts";
import type { IngestOptions } from "./schedule.ts";
import { createStreamWatch, type StreamWatch } from "./stream-watch.ts";
import { walkPast } from "./backfill-stream.ts";
import { createWrite } from "./write.ts";

export type GatherOptions = StreamEngine &
  Pick<IngestOptions, "connectors" | "fillGapsEverySeconds"> & {
    readonly planned: readonly Planned[];
    /** Streams running in this process, by name. */
    readonly gathering: Map<string, Gathering>;
  };

/** A stream running in this process. */
export type Gathering = {
  readonly watch: StreamWatch;
};

/** Runs streams, fills their gaps and replays their parked pages until aborted. Resolves when all of it has stopped. */
export async function gatherStreams(engine: GatherOptions, signal: AbortSignal): Promise<void> {
  const { planned, db, clock, log, fillGapsEverySeconds, gathering, deriver } = engine;
  const streams = planned.map((plan) => {
    const watch = createStreamWatch(plan.connector.name);
    gathering.set(watch.name, { watch });
    return startStream(engine, plan, watch, signal);
  });
  const filling = fillGaps({
    planned,
    db,
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
    write: createWrite({ ...engine, announceKnown: true }),
    flush: deriver.flush,
    signal,
  });
  await Promise.all([...streams, filling, replaying]);
  gathering.clear();
}
