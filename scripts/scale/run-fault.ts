import { setTimeout as sleep } from "node:timers/promises";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import type { Door } from "./ask-once.ts";
import type { Fault } from "./fault.ts";
import type { FaultResult } from "./fault-result.ts";
import type { Load } from "./load.ts";
import { measureLag } from "./measure-lag.ts";
import { watchSettledRanges } from "./settled-ranges.ts";
import { strike } from "./strike.ts";
import { sumUpLoad, tenthsOf } from "./sum-up-load.ts";
import type { Topology } from "./topology.ts";

export type Stage = {
  readonly topology: Topology;
  /** Of every process, api or not: all must become ready again. */
  readonly doors: readonly Door[];
  readonly load: Load;
  readonly store: OpenStore;
  readonly seconds: { readonly warm: number; readonly after: number; readonly recovery: number };
};

export type Struck = Pick<
  FaultResult,
  "before" | "during" | "after" | "tenths" | "recoverySeconds" | "notRecovered" | "holes"
>;

const LOOK_MS = 250;
/** Rows come in batches of blocks: a lag below this is none. */
const LEAST_LAG_MS = 6000;

/** The load before a fault, while it lasts and after it; and how long until all is as it was. The world goes on. */
export async function runFault(stage: Stage, fault: Fault): Promise<Struck> {
  const { topology, doors, load, seconds } = stage;
  // The world comes back to the present with all that was due meanwhile: that is no load of every day.
  await untilRecovered(stage, LEAST_LAG_MS, performance.now());
  const warmAt = performance.now();
  // Ranges are of what was settled before the world went on.
  const apiNames = new Set(topology.apis.map(({ name }) => name));
  const apiDoors = doors.filter(({ name }) => apiNames.has(name));
  const watched = watchSettledRanges({ world: topology.exchange.world, doors: apiDoors, key: topology.keys.wide });
  load.go();
  const levelMs = await mostLag(stage, seconds.warm * 1000);
  const struckAt = performance.now();
  const end = await strike(topology, fault);
  await sleep(Math.max(0, fault.seconds * 1000 - (performance.now() - struckAt)));
  const overAt = performance.now();
  // A part that is started again counts as away until it is there: that is time to recover.
  const ended = end();
  const recovering = untilRecovered(stage, levelMs, overAt);
  await ended;
  await sleep(Math.max(0, overAt + seconds.after * 1000 - performance.now()));
  const afterAt = performance.now();
  const { recoverySeconds, notRecovered } = await recovering;
  const holes = await watched.stop();
  await load.pause();
  const all = load.since(warmAt);
  return {
    before: sumUpLoad(load.since(warmAt, struckAt), (struckAt - warmAt) / 1000),
    during: sumUpLoad(load.since(struckAt, overAt), (overAt - struckAt) / 1000),
    after: sumUpLoad(load.since(overAt, afterAt), (afterAt - overAt) / 1000),
    tenths: tenthsOf(all, struckAt),
    recoverySeconds,
    notRecovered,
    holes,
  };
}

async function mostLag({ topology, store }: Stage, forMs: number): Promise<number> {
  const until = performance.now() + forMs;
  let most = 0;
  while (performance.now() < until) {
    most = Math.max(most, await measureLag(topology.exchange.world, store).catch(() => 0));
    await sleep(LOOK_MS);
  }
  return Math.max(most, LEAST_LAG_MS);
}

async function untilRecovered(
  { topology, doors, store, seconds }: Stage,
  levelMs: number,
  overAt: number,
): Promise<Pick<Struck, "recoverySeconds" | "notRecovered">> {
  const look = async (): Promise<string[]> => {
    const ready = await Promise.all(
      doors.map(async (door) => ((await door.ready()) ? [] : [`${door.name} is not ready`])),
    );
    const lag = await measureLag(topology.exchange.world, store).catch(() => Number.POSITIVE_INFINITY);
    return [...ready.flat(), ...(lag > levelMs ? [`rows are ${Math.round(lag / 1000)} s behind`] : [])];
  };
  for (;;) {
    const notRecovered = await look();
    const took = (performance.now() - overAt) / 1000;
    if (notRecovered.length === 0) return { recoverySeconds: Math.round(took * 10) / 10, notRecovered };
    if (took > seconds.recovery) return { recoverySeconds: null, notRecovered };
    await sleep(LOOK_MS);
  }
}
