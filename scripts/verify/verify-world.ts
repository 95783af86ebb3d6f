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

/** What is asked for begins inside the world: before its first block there is a gap. */
const A_MINUTE_MS = 60_000;
const CONFIRMED_MS = 10_000;
const LOOKS_AT_COPIES = 5;

export type VerifyOptions = {
  readonly seed: number;
  readonly days: number;
  /** Where Polymarket's fills come from at first; with "data" the chain is turned on over the same store afterwards. */
  readonly source: Source;
  /** How long the world goes on while callers ask, in real seconds. */
  readonly liveSeconds: number;
  /** Random past moments a venue whose books are asked for. */
  readonly books: number;
  readonly settleMs: number;
  readonly world?: ServeOptions["world"];
  /** Streams that are left out, to save time. */
  readonly streamsOff?: readonly string[];
  /** See `openScene`. */
  readonly hurry?: number;
  /** See `openScene`. */
  readonly workedOut?: readonly string[] | undefined;
  /** Who else looks at the world. */
  readonly onlooker?: Onlooker | undefined;
  readonly say: (text: string) => void;
};

/** Looks at the same world and its service, so that neither has to be there once more. */
export type Onlooker = {
  /** While the world goes on, which it does until this is done. */
  readonly live: (scene: Scene, running: Running) => Promise<void>;
  /** Once it stands still again and all is stored. */
  readonly still: () => Promise<void>;
  /** Once the chain is read over the same store. */
  readonly onChain: (scene: Scene, running: Running) => Promise<void>;
};

export type Verdict = {
  readonly tallies: readonly Tally[];
  /** What is wrong beside the rows, a sentence each. */
  readonly problems: readonly string[];
  readonly isAgreed: boolean;
  readonly seconds: number;
};

/**
 * Runs the whole service on the paper exchanges and compares what callers are answered with the world's own truth:
 * first a world that stands still (history, every figure exact), then one that goes on (books at every moment, walks
 * while rows arrive), and at last the same store under a new process.
 */
export async function verifyWorld(options: VerifyOptions): Promise<Verdict> {
  const started = performance.now();
  const { seed, days, say, source, settleMs, world: asked, streamsOff, hurry, workedOut, onlooker } = options;
  const scene = await openScene({ seed, days, world: asked, streamsOff, hurry, workedOut });
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
    // The chain is read a few blocks behind its head: it must come past what the Data API told.
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
  const watched = watchCoverage(running, new Date(world.start_ms + A_MINUTE_MS).toISOString());
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
  const asked = { count: books, fromMs: history.startMs, toMs, random: seededRandom(seed) };
  await add(compareMarkets(world, running, false), "live");
  await add(compareKalshiMarkets(world, running, false), "live");
  await add(compareFills(world, running, "chain", "cursor"), "live");
  await add(compareFills(world, running, "chain", "offset"), "live");
  await add(compareKalshiTrades(world, running, "offset"), "live");
  await add(compareCandles(world, running, "chain", "1m"), "live");
  await compareActivity(world, running, add, "live");
  await add(compareBooks(history, running, "polymarket", asked), "live");
  await add(compareBooks(history, running, "kalshi", asked), "live");
}

/** Only the chain tells of what is done outside the book. */
async function compareActivity(world: World, running: Running, add: Add, when: string): Promise<void> {
  await add(compareOperations(world, running), when);
  await add(compareResolutions(world, running), when);
  await add(compareTransfers(world, running), when);
}

/** No key twice, every sort order the same rows; what is being written this moment gets a second look. */
async function compareCopies({ store }: Running, problems: string[]): Promise<void> {
  let found = await findDoubledRows(store);
  for (let look = 1; found.length > 0 && look < LOOKS_AT_COPIES; look++) {
    await sleep(1000);
    found = await findDoubledRows(store);
  }
  problems.push(...found);
}
