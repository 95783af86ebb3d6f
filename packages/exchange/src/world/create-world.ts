import { Bus } from "./bus.ts";
import { Chain } from "./chain/chain.ts";
import { chainLogs } from "./chain/chain-drafts.ts";
import type { Post } from "./social-contract.ts";
import type { SocialHappening } from "./social-happenings.ts";
import { createCrowd } from "./core/crowd.ts";
import { EventHeap } from "./core/event-heap.ts";
import { HappeningSink } from "./polymarket/happening-sink.ts";
import { Income } from "./polymarket/income.ts";
import { KalshiSimulation } from "./kalshi/kalshi-simulation.ts";
import { KalshiState } from "./kalshi/kalshi-state.ts";
import { noCounts, type JumpTruth, type World } from "./world.ts";
import { PolymarketState } from "./polymarket/polymarket-state.ts";
import { Purses } from "./core/purses.ts";
import { Rng } from "./core/rng.ts";
import { Simulation, type Task } from "./core/simulation.ts";
import { createWallets, walletTruths } from "./polymarket/wallets.ts";
import { Talk } from "./social/talk.ts";
import type { Happening } from "./contract.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Start times are aligned to the shortest windows. */
const GRID = HOUR / 12;

/** Shared by all parts of a world. */
function foundations(options: WorldOptions) {
  const days = options.days ?? 3;
  const start = Math.floor((options.from_ms ?? options.clock() - days * DAY) / GRID) * GRID;
  const time = { reached: start };
  const reached = (): number => time.reached;
  const rng = new Rng(options.seed, "world");
  const count = options.wallets ?? 1500;
  const purses = new Purses(count);
  const crowd = createCrowd(count, rng.fork("crowd"), purses);
  const bus = new Bus();
  if (options.listener !== undefined) bus.on(options.listener);
  return { days, start, time, reached, rng, purses, crowd, bus, queue: new EventHeap<Task>(), counts: noCounts(count) };
}

type Foundations = ReturnType<typeof foundations>;

interface Spoken {
  posts: Post[];
  published: SocialHappening[];
}

function polymarketOf(options: WorldOptions, base: Foundations, jumps: JumpTruth[], spoken: Spoken) {
  const { seed } = options;
  const { start, rng, bus, queue, counts, reached } = base;
  const state = new PolymarketState(createWallets(seed, base.crowd.count, start, rng), bus);
  const chain = new Chain(seed, start, reached, chainLogs);
  const hostile = options.hostile ?? 0;
  const talk = new Talk({ seed, rng, queue, bus, counts, state, loudness: options.talk ?? 1, hostile, ...spoken });
  const v2From = options.v2_from_ms ?? start + Math.round((base.days * DAY) / 4);
  const onJump = talk.burst.bind(talk);
  const sink = new HappeningSink({ seed, state, chain, rng, counts, jumps, v2From, reached, hostile, onJump });
  const simulation = new Simulation({
    rng: rng.fork("polymarket"),
    crowd: base.crowd,
    purses: base.purses,
    sink,
    queue,
    firstMarket: 0,
    settings: {
      start,
      events: options.events ?? 120,
      life_days: 5,
      windows: [
        { asset: "btc", minutes: 5 },
        { asset: "eth", minutes: 5 },
      ],
      activity: options.activity ?? 1,
      window_activity: options.activity ?? 1,
      idle: 0.6,
      fee_from: v2From,
    },
  });
  talk.start(start);
  return { state, chain, simulation, income: new Income({ seed, state, start, reached }) };
}

/**
 * Creates a world and simulates its history, from `from_ms` to `clock()`; a few seconds for the default sizes.
 * Afterwards only `advanceTo` advances it. Same seed, start, days and sizes → the same happenings.
 */
export function createWorld(options: WorldOptions): World {
  const base = foundations(options);
  const { start, time, bus, queue, counts } = base;
  const jumps: JumpTruth[] = [];
  const spoken: Spoken = { posts: [], published: [] };
  const { state, chain, simulation, income } = polymarketOf(options, base, jumps, spoken);
  const behind = options.kalshi_cutoff_ms ?? (base.days * DAY) / 3;
  const kalshi = new KalshiState(() => Math.floor((time.reached - behind) / HOUR) * HOUR);
  void new KalshiSimulation({
    seed: options.seed,
    rng: base.rng.fork("kalshi"),
    bus,
    counts,
    keep: (trade) => kalshi.trades.push(trade),
    queue,
    state: kalshi,
    path: simulation.path.bind(simulation),
    jumps,
    reached: base.reached,
    start,
    markets: options.kalshi_markets ?? 100,
    hostile: options.hostile ?? 0,
    activity: options.activity ?? 1,
  });
  const advanceTo = (ms: number): void => {
    while (queue.nextAt() <= ms) {
      const at = queue.nextAt();
      time.reached = at;
      queue.pop()?.(at);
    }
    time.reached = Math.max(time.reached, ms);
  };
  advanceTo(options.clock());
  return {
    seed: options.seed,
    start_ms: start,
    now: options.clock,
    reached: base.reached,
    advanceTo,
    on: (listener) => bus.on(listener),
    polymarket: state,
    chain,
    income,
    kalshi,
    posts: spoken.posts,
    talk: spoken.published,
    truth: () => ({ ...counts, last_seq: bus.last, last_talk_seq: spoken.published.length }),
    jumps: () => jumps,
    walletTruth: () => walletTruths(state, base.crowd, base.purses),
  };
}

/** Options of createWorld. Same seed, start, days and sizes → the same happenings, whatever the clock does. */
export interface WorldOptions {
  seed: number;
  /** World time now, ms. Tests pass a constant or their own variable; the server passes a clock that may run faster. */
  clock: () => number;
  /** Start time of the world. Default: `clock()` at creation minus `days`, rounded down to five minutes. */
  from_ms?: number;
  /** Days of history simulated at creation; default 3. History covers `from_ms` to `clock()`. */
  days?: number;
  /** Standing Polymarket events in addition to the 5-minute series; default 120 (≈ 300 markets). */
  events?: number;
  /** Wallets; default 1500. */
  wallets?: number;
  /** Multiplies all trading rates; default 1 (≥ 100,000 fills in 3 days). */
  activity?: number;
  /** Concurrent Kalshi markets; default 100. */
  kalshi_markets?: number;
  /** Matches before this time settle on the V1 exchange. Default: the first quarter of the history. */
  v2_from_ms?: number;
  /** Distance of Kalshi's history cutoff from now; default a third of `days`. */
  kalshi_cutoff_ms?: number;
  /** Receives every happening from the start, history and book changes included. */
  listener?: (happening: Happening) => void;
  /** Multiplies the number of posts; 0 for none. Default 1. */
  talk?: number;
  /** Share of events and posts with hostile texts, 0 to 1. Default 0, which draws nothing. */
  hostile?: number;
}
