import { Bus } from "./bus.ts";
import { Chain } from "./chain/chain.ts";
import { chainLogs } from "./chain/chain-logs.ts";
import type { Post } from "./social-contract.ts";
import type { SocialHappening } from "./social-happenings.ts";
import { createCrowd } from "./core/crowd.ts";
import { EventHeap } from "./core/event-heap.ts";
import { HappeningSink } from "./polymarket/happening-sink.ts";
import { Income } from "./polymarket/income.ts";
import { KalshiSimulation } from "./kalshi/kalshi-simulation.ts";
import { KalshiState } from "./kalshi/kalshi-state.ts";
import { noCounts } from "./no-counts.ts";
import { PolymarketState } from "./polymarket/polymarket-state.ts";
import { Purses } from "./core/purses.ts";
import { Rng } from "./core/rng.ts";
import { Simulation, type Task } from "./core/simulation.ts";
import { createWallets } from "./polymarket/wallet-names.ts";
import { Talk } from "./social/talk.ts";
import { walletTruths } from "./polymarket/wallet-truths.ts";
import type { JumpTruth, World } from "./world.ts";
import type { WorldOptions } from "./world-options.ts";

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
