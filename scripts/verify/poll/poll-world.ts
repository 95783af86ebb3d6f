import { setTimeout as sleep } from "node:timers/promises";
import type { ServeOptions } from "../../../packages/exchange/src/serve-options.ts";
import type { World } from "../../../packages/exchange/src/world/world.ts";
import { connectors } from "../../../packages/server/src/catalogue.ts";
import { expectedFill, fillKeys, fillsOf, type Source } from "../fills.ts";
import { openScene, type Running, type Scene } from "../scene.ts";
import { settle } from "../settle.ts";
import { Comparison, isAgreed, type Tally, type Row } from "../tally.ts";
import { ageAt, FirstSights, type Ages } from "./first-sights.ts";
import { legOf, SeenTrades, type SeenCounts } from "./seen-trades.ts";
import { type Ask, byCursor } from "../ask.ts";

const PAGE_ROWS = 500;

/** A caller who asks for what came since the newest trade it has, and keeps each as it first saw it. */
class TailClient {
  readonly #ask: Ask;
  readonly #kept = new Map<string, Row>();
  #since: string;

  /** `since`: the first second that is asked for, ISO. */
  constructor(ask: Ask, since: string) {
    this.#ask = ask;
    this.#since = since;
  }

  get rows(): ReadonlyMap<string, Row> {
    return this.#kept;
  }

  async follow(): Promise<void> {
    const params = { start_time: this.#since };
    for await (const rows of byCursor(this.#ask, { agentId: 556, params, limit: PAGE_ROWS })) {
      for (const row of rows) {
        const id = String(row["id"]);
        if (!this.#kept.has(id)) this.#kept.set(id, row);
        if (String(row["timestamp"]) > this.#since) this.#since = String(row["timestamp"]);
      }
    }
  }
}

export type PollOptions = {
  readonly seed: number;
  readonly days: number;
  readonly source: Source;
  /** How long the newest trades are polled, in seconds of a world at real time. */
  readonly seconds: number;
  /** Polled for longer until so many were first seen. */
  readonly leastTransactions?: number;
  readonly settleMs: number;
  readonly world?: ServeOptions["world"];
  /** See `openScene`; freshness is not that of a service then. */
  readonly hurry?: number;
  /** See `openScene`. */
  readonly workedOut?: readonly string[] | undefined;
  readonly say: (text: string) => void;
};

export type Polled = {
  readonly source: Source;
  readonly seconds: number;
  readonly seen: SeenCounts;
  /** What the tail client has at the end against the truth; its rows are as it first saw them. */
  readonly tail: Tally;
  /** Of the ids that the Data API gave: those that were no more there once the chain was read. Null with the chain. */
  readonly lostToChain: number | null;
  readonly freshness: Readonly<Record<keyof Ages, { readonly p50: number | null; readonly p99: number | null }>>;
  readonly transactions: number;
  readonly isGood: boolean;
};

const NEWEST = 400;
const POLL_MS = 1000;
/** Between two looks that measure freshness: what it adds to an age at the most, with the time of the answer. */
const LOOK_MS = 250;
/** So many times as long as asked, where too few transactions came. */
const MOST_TIMES = 12;
const CONFIRMED_MS = 10_000;
const ASIDE = new Set(["polymarket-book", "polymarket-income"]);
/** Only trades are looked at. */
const OFF = connectors.filter(({ name, venue }) => venue !== "polymarket" || ASIDE.has(name)).map(({ name }) => name);

/**
 * Callers who ask a live world for its newest trades again and again, while nothing is reorganised: no trade may come
 * under two ids, change or go, and who follows by `start_time` must end with the world's own fills.
 */
export async function pollWorld(options: PollOptions): Promise<Polled> {
  const { seed, days, source, settleMs, hurry, workedOut, say } = options;
  const scene = await openScene({ seed, days, world: options.world, streamsOff: OFF, hurry, workedOut });
  const { world, clock } = scene.exchange;
  try {
    const running = await scene.startService(source);
    say("waiting until all is caught up");
    await settle(running, settleMs);
    clock.jumpTo(Date.now());
    clock.setSpeed(1);
    say(`polling for ${options.seconds} s, fills by the ${source}`);
    const sinceMs = Math.ceil(clock.now() / 1000) * 1000;
    const tail = new TailClient(running.ask, new Date(sinceMs).toISOString().replace(".000", ""));
    const [seen, sights] = [new SeenTrades(), new FirstSights(world, sinceMs)];
    const began = performance.now();
    const isOver = (): boolean => {
      const share = (performance.now() - began) / (options.seconds * 1000);
      return share >= 1 && (share >= MOST_TIMES || sights.ages.sinceMatch.length >= (options.leastTransactions ?? 0));
    };
    const newest = async (limit: number) => (await running.ask(556, {}, { limit })).rows;
    await Promise.all([
      every(POLL_MS, isOver, async () => seen.take(await newest(NEWEST), NEWEST)),
      every(POLL_MS, isOver, () => tail.follow()),
      every(LOOK_MS, isOver, async () => sights.take(await newest(NEWEST / 2), clock.now())),
    ]);
    clock.setSpeed(0);
    say("the world stands still; waiting until all is caught up");
    await settle(running, settleMs);
    seen.take(await newest(NEWEST), NEWEST);
    await tail.follow();
    const told = {
      seen: seen.end(countLegs(world)),
      tail: compareTail(world, tail, source, sinceMs),
      lostToChain: source === "chain" ? null : await turnOnChain(scene, running, tail, settleMs),
    };
    const { ages } = sights;
    const at = (of: keyof Ages) => ({ p50: ageAt(ages[of], 0.5), p99: ageAt(ages[of], 0.99) });
    const { seen: counts } = told;
    const wrong = counts.underTwoIds + counts.changed + counts.vanished + (told.lostToChain ?? 0);
    return {
      source,
      seconds: options.seconds,
      ...told,
      freshness: { sinceMatch: at("sinceMatch"), sinceBlock: at("sinceBlock") },
      transactions: ages.sinceMatch.length,
      isGood: wrong === 0 && isAgreed(told.tail) && told.tail.truth > 0,
    };
  } finally {
    await scene.close();
  }
}

async function every(ms: number, isOver: () => boolean, work: () => Promise<void>): Promise<void> {
  while (!isOver()) {
    const began = performance.now();
    await work();
    await sleep(Math.max(0, ms - (performance.now() - began)));
  }
}

function countLegs(world: World): (leg: string) => number {
  const counts = new Map<string, number>();
  for (const { tx_hash, makers, taker } of world.polymarket.matches) {
    for (const { wallet, token_id, side, shares_micro } of [...makers, taker]) {
      const leg = legOf({ transaction_hash: tx_hash, proxy_wallet: wallet, token_id, side, size: shares_micro / 1e6 });
      counts.set(leg, (counts.get(leg) ?? 0) + 1);
    }
  }
  return (leg) => counts.get(leg) ?? 0;
}

function compareTail(world: World, tail: TailClient, source: Source, sinceMs: number): Tally {
  const keys = fillKeys(source);
  const due = fillsOf(world, source).filter(({ match }) => match.block_ms >= sinceMs);
  const truth = new Map(due.map((fill) => [keys.ofTruth(fill), fill]));
  const compared = new Comparison(truth, (fill) => expectedFill(fill, source));
  for (const row of tail.rows.values()) compared.take(keys.ofRow(row), row);
  return compared.end(`tail client (${source})`, tail.rows.size);
}

/** Reads the chain over the same store: how many of the client's ids are answered no more. */
async function turnOnChain(scene: Scene, before: Running, tail: TailClient, settleMs: number): Promise<number> {
  const { world, clock } = scene.exchange;
  await before.stop();
  clock.jumpTo(world.reached() + CONFIRMED_MS);
  const running = await scene.startService("chain");
  await running.gatherPast();
  await settle(running, settleMs);
  const after = new TailClient(running.ask, new Date(world.start_ms).toISOString());
  await after.follow();
  const isRead = (id: string): boolean => typeof after.rows.get(id)?.["order_hash"] === "string";
  return [...tail.rows.keys()].filter((id) => !isRead(id)).length;
}
