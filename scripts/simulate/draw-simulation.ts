import { drawRun } from "../campaign/draw-run.ts";
import { Random } from "../campaign/random.ts";
import type { RunPlan } from "../campaign/run-plan.ts";
import type { ClockJump, FullDisk } from "./machine-mood.ts";
import type { PowerCut } from "./power-cuts.ts";
import type { NetworkMood } from "./sim-network.ts";

/** Kills a service process this many steps after a time: at any of the points at which it awaits something. */
export type Cut = { readonly afterSeconds: number; readonly steps: number; readonly downSeconds: number };

/** A campaign's run plus the additional faults of a simulated machine. */
export type SimPlan = Omit<RunPlan, "kills"> & {
  /** The column engine belongs to the service alone, as an embedded one does; else it is a server with more writers. */
  readonly hasOwnEngine: boolean;
  /** Calendar time of the run (Unix ms). */
  readonly startMs: number;
  readonly network: NetworkMood;
  readonly cuts: readonly Cut[];
  readonly powerCuts: readonly PowerCut[];
  readonly fullDisks: readonly FullDisk[];
  readonly clockJumps: readonly ClockJump[];
  /** The thread of the serving indexes dies this many ms after each process begins. */
  readonly indexDeaths: readonly number[];
};

/** A longer run costs more statements, and finds nothing else. */
const LIVE_SECONDS = [20, 30] as const;
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2026, 0, 10);
const DAYS = 100;
const MINUTES = 24 * 60;

/** The simulation of a seed: the campaign's world, sources and faults, on a smaller scale. */
export function drawSimulation(seed: number): SimPlan {
  const { kills: _, ...run } = drawRun(seed, LIVE_SECONDS);
  const random = new Random(seed + 5_000_000);
  const world = {
    ...run.world,
    days: run.world.days / 3,
    events: Math.min(5, run.world.events),
    wallets: Math.min(80, run.world.wallets),
    kalshi_markets: Math.min(8, run.world.kalshi_markets),
    activity: run.world.activity * 3,
  };
  const day = FIRST_DAY_MS + random.whole(0, DAYS - 1) * DAY_MS;
  // Sometimes the run spans the end of a day.
  const startMs = random.chance(0.2) ? day - random.whole(0, 60_000) : day + random.whole(0, MINUTES - 1) * 60_000;
  const network = drawNetwork(random);
  const cuts = drawCuts(random, run);
  return {
    ...run,
    world,
    startMs,
    network,
    cuts,
    // A random stream of its own, so that the rest of a seed is as it was before power cuts existed.
    powerCuts: drawPowerCuts(new Random(seed + 9_000_000), cuts.length),
    fullDisks: random.chance(0.25) ? [drawFullDisk(random, run.liveSeconds)] : [],
    clockJumps: random.chance(0.2) ? [drawClockJump(random, run.liveSeconds)] : [],
    indexDeaths: random.chance(0.3) ? [random.whole(0, run.liveSeconds * 1000)] : [],
    hasOwnEngine: random.chance(0.7),
  };
}

function drawNetwork(random: Random): NetworkMood {
  const minMs = random.whole(1, 20);
  return {
    minMs,
    maxMs: minMs + random.pick([0, 5, 40, 200]),
    stalledShare: random.pick([0, 0, 0.01, 0.05]),
    stallMs: random.pick([500, 3000, 12_000]),
    deadShare: random.pick([0, 0, 0, 0.02, 0.1]),
  };
}

function drawCuts(random: Random, { source, liveSeconds }: Omit<RunPlan, "kills">): Cut[] {
  const count = Math.max(source === "data_then_chain" ? 1 : 0, random.pick([0, 1, 1, 2, 2, 3, 5]));
  return Array.from({ length: count }, () => ({
    afterSeconds: random.chance(0.2) ? 0 : random.whole(1, Math.ceil(liveSeconds / (count + 1))),
    steps: random.chance(0.5) ? random.whole(1, 40) : random.whole(1, 400),
    downSeconds: random.pick([0, 0, 1, 4, 15]),
  }));
}

/** Some of the killed processes end with a power cut. */
function drawPowerCuts(random: Random, lives: number): PowerCut[] {
  return Array.from({ length: lives }, (_, place) => place + 1)
    .filter(() => random.chance(0.4))
    .map((life) => ({
      life,
      way: random.pick(["lost_tail", "torn_page", "reordered_writes"]),
      maxPages: random.pick([2, 8, 64]),
      isLying: random.chance(0.4),
    }));
}

function drawFullDisk(random: Random, liveSeconds: number): FullDisk {
  return {
    afterSeconds: random.whole(0, liveSeconds),
    forSeconds: random.whole(1, 15),
    share: random.pick([1, 0.5, 0.1]),
  };
}

function drawClockJump(random: Random, liveSeconds: number): ClockJump {
  return {
    afterSeconds: random.whole(0, liveSeconds),
    forSeconds: random.whole(1, 60),
    aheadMs: random.pick([-60_000, -5_000, 5_000, 60_000, 3_600_000]),
  };
}
