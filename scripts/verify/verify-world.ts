import { setTimeout as sleep } from "node:timers/promises";
import type { ServeOptions } from "../../packages/exchange/src/serve-options.ts";
import type { World } from "../../packages/exchange/src/world/world.ts";
import { seededRandom } from "../vitest/seed.ts";
import { BookHistory } from "./book-history.ts";
import { compareOperations, compareResolutions, compareTransfers } from "./compare-activity.ts";
import { compareBooks } from "./compare-books.ts";
import {
  compareCandles,
  compareFills,
  compareKalshiMarkets,
  compareKalshiTrades,
  compareMarkets,
} from "./compare-streams.ts";
import { findDoubledRows } from "./doubled-rows.ts";
import { watchCoverage } from "./watch-coverage.ts";
import type { Source } from "./fills.ts";
import { walkWhileLive } from "./live-walks.ts";
import { openScene, type Running, type Scene } from "./scene.ts";
import { settle } from "./settle.ts";
import { isAgreed, type Tally } from "./tally.ts";

/** Queries begin inside the world: before its first block there is a gap. */
const MINUTE_MS = 60_000;
const CONFIRMED_MS = 10_000;
const LOOKS_AT_COPIES = 5;

export type VerifyOptions = {
  readonly seed: number;
  readonly days: number;
  /** Initial source of Polymarket's fills; with "data" the chain is enabled over the same store afterwards. */
  readonly source: Source;
  /** How long the world runs while clients query, in real seconds. */
  readonly liveSeconds: number;
  /** Number of random past times per venue at which books are requested. */
  readonly books: number;
  readonly settleMs: number;
  readonly world?: ServeOptions["world"];
  /** Streams turned off to save time. */
  readonly streamsOff?: readonly string[];
  /** See `openScene`. */
  readonly expedite?: number;
  /** See `openScene`. */
  readonly derived?: readonly string[] | undefined;
  /** Additional checks on the same world. */
  readonly onlooker?: Onlooker | undefined;
  readonly say: (text: string) => void;
};

/** Runs more checks on the same world and service, so that neither has to be set up again. */
export type Onlooker = {
  /** Called while the world runs; it runs until this resolves. */
  readonly live: (scene: Scene, running: Running) => Promise<void>;
  /** Called once the world is paused again and all is stored. */
  readonly still: () => Promise<void>;
  /** Called once the chain is read over the same store. */
  readonly onChain: (scene: Scene, running: Running) => Promise<void>;
};

export type Verdict = {
  readonly tallies: readonly Tally[];
  /** Problems other than row differences, a sentence each. */
  readonly problems: readonly string[];
  readonly isAgreed: boolean;
  readonly seconds: number;
};

/**
 * Runs the whole service on the paper exchanges and compares client responses with the world's ground truth: first
 * while the world is paused (history, every figure exact), then while it runs (books at any time, walks while rows
 * arrive), and last the same store under a new process.
 */
export async function verifyWorld(options: VerifyOptions): Promise<Verdict> {
  const started = performance.now();
  const { seed, days, say, source, settleMs, world: requested, streamsOff, expedite, derived, onlooker } = options;
  const scene = await openScene({ seed, days, world: requested, streamsOff, expedite, derived });
  const { world } = scene.exchange;
  const problems: string[] = [];
  const tallies: Tally[] = [];
  const add = async (tally: Promise<Tally>, when: string): Promise<void> => {
    const { stream, ...rest } = await tally;
    tallies.push({ stream: `${stream} ${when}`, ...rest });
  };
  try {
    say(`the world: ${world.truth().fills} fills, ${world.truth().kalshi_trades} Kalshi trades`);
    let running = await scene.startService(source);
    say("gathering the past");
    await gatherPast(running, world, problems);
    say("waiting until all is caught up");
    await settle(running, settleMs);
    say("comparing the past");
    await compareStill(world, running, source, add);
    say("the world goes on");
    const history = new BookHistory(world);
    scene.exchange.clock.jumpTo(Date.now());
    scene.exchange.clock.setSpeed(1);
    const [live] = await Promise.all([
      walkWhileLive(running, { seconds: options.liveSeconds, limit: 1000, problems }),
      onlooker?.live(scene, running),
    ]);
    say(`${live.walks} walks while ${live.rowsGained} rows arrived`);
    if (live.rowsGained === 0) problems.push("no row arrived while the world went on");
    scene.exchange.clock.setSpeed(0);
    await sleep(1000);
    history.close();
    const stoodStillMs = world.reached();
    say("the world stands still; waiting until all is caught up");
    await settle(running, settleMs);
    await onlooker?.still();
    say("a new service over the same store");
    await running.stop();
    // The chain is read a few blocks behind its head: it must pass the last fill reported by the Data API.
    scene.exchange.clock.jumpTo(stoodStillMs + CONFIRMED_MS);
    running = await scene.startService("chain");
    if (source === "data") await running.gatherPast();
    await settle(running, settleMs);
    say("comparing everything");
    await compareAfter(world, running, { history, toMs: stoodStillMs }, options, add);
    await compareCopies(running, problems);
    await onlooker?.onChain(scene, running);
  } finally {
    await scene.close();
  }
  const agreed = problems.length === 0 && tallies.every(isAgreed);
  return { tallies, problems, isAgreed: agreed, seconds: (performance.now() - started) / 1000 };
}

type Add = (tally: Promise<Tally>, when: string) => Promise<void>;

async function gatherPast(running: Running, world: World, problems: string[]): Promise<void> {
  const watched = watchCoverage(running, new Date(world.start_ms + MINUTE_MS).toISOString());
  await running.gatherPast();
  problems.push(...(await watched.end()));
}

async function compareStill(world: World, running: Running, source: Source, add: Add): Promise<void> {
  await add(compareMarkets(world, running, true), "history");
  await add(compareKalshiMarkets(world, running, true), "history");
  await add(compareFills(world, running, source, "cursor"), "history");
  await add(compareKalshiTrades(world, running, "cursor"), "history");
  await add(compareCandles(world, running, source, "1h"), "history");
  if (source === "chain") await compareActivity(world, running, add, "history");
}

async function compareAfter(
  world: World,
  running: Running,
  { history, toMs }: { readonly history: BookHistory; readonly toMs: number },
  { books, seed }: VerifyOptions,
  add: Add,
): Promise<void> {
  const requested = { count: books, fromMs: history.startMs, toMs, random: seededRandom(seed) };
  await add(compareMarkets(world, running, false), "live");
  await add(compareKalshiMarkets(world, running, false), "live");
  await add(compareFills(world, running, "chain", "cursor"), "live");
  await add(compareFills(world, running, "chain", "offset"), "live");
  await add(compareKalshiTrades(world, running, "offset"), "live");
  await add(compareCandles(world, running, "chain", "1m"), "live");
  await compareActivity(world, running, add, "live");
  await add(compareBooks(history, running, "polymarket", requested), "live");
  await add(compareBooks(history, running, "kalshi", requested), "live");
}

/** Only the chain reports activity outside the book. */
async function compareActivity(world: World, running: Running, add: Add, when: string): Promise<void> {
  await add(compareOperations(world, running), when);
  await add(compareResolutions(world, running), when);
  await add(compareTransfers(world, running), when);
}

/** Every key once, the same rows in every sort order; rows being written now are checked again. */
async function compareCopies({ store }: Running, problems: string[]): Promise<void> {
  let found = await findDoubledRows(store);
  for (let look = 1; found.length > 0 && look < LOOKS_AT_COPIES; look++) {
    await sleep(1000);
    found = await findDoubledRows(store);
  }
  problems.push(...found);
}
