import { join } from "node:path";
import type { Logger } from "pino";
import { serveExchange, type ServedExchange } from "../../packages/exchange/src/serve.ts";
import { readConfig } from "../../packages/server/src/config.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { Random } from "../campaign/random.ts";
import { runEnvironment } from "../campaign/run-environment.ts";
import type { SimPlan } from "./draw-simulation.ts";
import { Lives } from "./lives.ts";
import { PowerCuts } from "./power-cuts.ts";
import { SimClock } from "./sim-clock.ts";
import type { SimGround } from "./sim-ground.ts";
import { liveOn } from "./sim-machine.ts";
import { MachineMood } from "./machine-mood.ts";
import { connectOver, SimNetwork } from "./sim-network.ts";

/** Environment of a run: a world on a simulated machine, and the consecutive processes of a service that ingests it. */
export type SimScene = {
  readonly clock: SimClock;
  readonly exchange: ServedExchange;
  readonly network: SimNetwork;
  readonly mood: MachineMood;
  readonly powerCuts: PowerCuts;
  readonly lives: Lives;
  readonly ground: SimGround;
  /** The run's own database, with the rows that its processes stored. */
  readonly database: OpenStore;
  readonly close: () => Promise<void>;
};

const DAY_MS = 86_400_000;
/** Backfill starts this long before the world began. */
const BEFORE_MS = 600_000;
const INDEX_BYTES = 1e8;

/** No comparison reads these streams or depends on them. */
const OFF = ["polymarket-tags", "polymarket-income"];

/** Opens a paused world, and a service that is not started yet. The process uses the run's machine until `close`. */
export async function openScene(plan: SimPlan, ground: SimGround, log: Logger): Promise<SimScene> {
  const { seed, source } = plan;
  const clock = new SimClock(plan.startMs);
  const randomOf = (what: number): Random => new Random(seed * 7 + what * 11_000_000);
  const [chance, network] = [randomOf(1), new SimNetwork({ clock, random: randomOf(2), mood: plan.network })];
  const mood = new MachineMood(clock, plan, randomOf(3));
  const { folder, remove } = ground.openFolder();
  await ground.emptyRecords();
  const database = await ground.openDatabase();
  liveOn({ clock, now: mood.now, random: () => chance.next() });
  connectOver(network);
  const exchange = await openWorld(plan, clock);
  const { urls, world } = exchange;
  const powerCuts = new PowerCuts(plan.powerCuts, randomOf(4), join(folder, "serving"));
  const lives = new Lives({ cuts: plan.cuts, powerCuts }, network, (kills) => {
    const hasNode = source !== "data" && (source !== "data_then_chain" || kills > 0);
    const config = readConfig(runEnvironment(urls, { ...plan, folder, hasNode }));
    return {
      number: kills + 1,
      clock,
      indexDeaths: plan.indexDeaths,
      config: { ...config, streamsOff: [...config.streamsOff, ...OFF], servingBytes: INDEX_BYTES },
      address: database.address,
      hasOwnEngine: plan.hasOwnEngine,
      sessions: ground.sessions,
      mood,
      log,
      pastFromMs: world.start_ms - BEFORE_MS,
    };
  });
  return {
    clock,
    exchange,
    network,
    mood,
    powerCuts,
    lives,
    ground,
    database,
    close: async () => {
      lives.end();
      connectOver(undefined);
      liveOn(undefined);
      await lives.buried();
      await exchange.close();
      // Drops the last process's batch tables: the next run gets the database as it was created.
      await database.beginWriting({ token: Number.POSITIVE_INFINITY, check: () => undefined });
      await database.close();
      remove();
    },
  };
}

function openWorld({ seed, world, startMs }: SimPlan, clock: SimClock): Promise<ServedExchange> {
  return serveExchange({
    seed,
    speed: 0,
    wall: clock.now,
    from_ms: startMs - world.days * DAY_MS,
    days: world.days,
    world: { ...world, kalshi_cutoff_ms: (world.days * DAY_MS) / 3 },
  });
}
