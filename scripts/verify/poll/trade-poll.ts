import { setTimeout as sleep } from "node:timers/promises";
import type { World } from "../../../packages/exchange/src/world/world.ts";
import { expectedFill, fillKeys, fillsOf, type Source } from "../fills.ts";
import { quantile } from "../../bench/latency.ts";
import type { Running, Scene } from "../scene.ts";
import { Comparison, isAgreed, type Tally, type Row } from "../tally.ts";
import { legOf, SeenTrades, type SeenCounts } from "./seen-trades.ts";
import { TailClient } from "./tail-client.ts";

/** Ages in milliseconds of world time, which is real time, at which transactions were first returned. */
type Ages = { readonly sinceMatch: number[]; readonly sinceBlock: number[] };

/** Takes pages of trades and records the age of each transaction when first seen. */
class FirstSights {
  readonly ages: Ages = { sinceMatch: [], sinceBlock: [] };
  readonly #world: World;
  readonly #seen = new Set<unknown>();
  readonly #matchedAt = new Map<string, number>();
  readonly #fromMs: number;
  #indexed = 0;

  /** Matches before `fromMs` do not count. */
  constructor(world: World, fromMs: number) {
    this.#world = world;
    this.#fromMs = fromMs;
  }

  take(rows: readonly Row[], nowMs: number): void {
    const { matches } = this.#world.polymarket;
    for (; this.#indexed < matches.length; this.#indexed += 1) {
      const match = matches[this.#indexed];
      if (match) this.#matchedAt.set(match.tx_hash, match.ms);
    }
    for (const { transaction_hash: tx, timestamp } of rows) {
      if (this.#seen.has(tx)) continue;
      this.#seen.add(tx);
      const matchedAt = this.#matchedAt.get(String(tx));
      if (matchedAt === undefined || matchedAt < this.#fromMs) continue;
      this.ages.sinceMatch.push(nowMs - matchedAt);
      this.ages.sinceBlock.push(nowMs - Date.parse(String(timestamp)));
    }
  }
}

const NEWEST = 400;
const POLL_MS = 1000;
/** Pause between two freshness polls: with the response time, the most it can add to an age. */
const LOOK_MS = 250;
/** Polls up to this many times as long as requested while too few transactions have come. */
const MAX_TIMES = 12;

export type PollLength = {
  /** Polling time for the newest trades, in seconds of a world at real time. */
  readonly seconds: number;
  /** Polling continues until this many were first seen. */
  readonly minTransactions?: number | undefined;
};

export type Polled = {
  readonly source: Source;
  readonly seconds: number;
  readonly seen: SeenCounts;
  /** The tail client's final rows, each as first seen, against the truth. */
  readonly tail: Tally;
  /** Ids given by the Data API that no longer existed once the chain was read. Null with the chain. */
  readonly lostToChain: number | null;
  readonly freshness: Readonly<Record<keyof Ages, { readonly p50: number; readonly p99: number }>>;
  readonly transactions: number;
  readonly isGood: boolean;
};

/**
 * Clients that poll a live world's newest trades, while nothing is reorganised: no trade may have two ids, change or
 * vanish, and a client that follows by `start_time` must end with exactly the world's fills. Construct it once the
 * world has begun to run; then call `live`, `still` and, with the Data API, `onChain`.
 */
export class TradePoll {
  readonly #world: World;
  readonly #clock: Scene["exchange"]["clock"];
  readonly #source: Source;
  readonly #running: Running;
  readonly #sinceMs: number;
  readonly #tail: TailClient;
  readonly #seen = new SeenTrades();
  readonly #sights: FirstSights;
  #reported: Pick<Polled, "seen" | "tail"> | undefined;
  #lostToChain: number | null = null;
  #seconds = 0;

  constructor({ world, clock }: Scene["exchange"], running: Running, source: Source) {
    this.#world = world;
    this.#clock = clock;
    this.#source = source;
    this.#running = running;
    this.#sinceMs = Math.ceil(clock.now() / 1000) * 1000;
    this.#tail = new TailClient(running.ask, new Date(this.#sinceMs).toISOString().replace(".000", ""));
    this.#sights = new FirstSights(world, this.#sinceMs);
  }

  async live({ seconds, minTransactions = 0 }: PollLength): Promise<void> {
    this.#seconds = seconds;
    const began = performance.now();
    const isOver = (): boolean => {
      const share = (performance.now() - began) / (seconds * 1000);
      return share >= 1 && (share >= MAX_TIMES || this.#sights.ages.sinceMatch.length >= minTransactions);
    };
    await Promise.all([
      every(POLL_MS, isOver, async () => this.#seen.take(await this.#newest(NEWEST), NEWEST)),
      every(POLL_MS, isOver, () => this.#tail.follow()),
      every(LOOK_MS, isOver, async () => this.#sights.take(await this.#newest(NEWEST / 2), this.#clock.now())),
    ]);
  }

  /** Call once the world is paused and all is stored: the Data API reports more fills as soon as its clock runs on. */
  async still(): Promise<void> {
    this.#seen.take(await this.#newest(NEWEST), NEWEST);
    await this.#tail.follow();
    this.#reported = { seen: this.#seen.end(countLegs(this.#world)), tail: this.#compareTail() };
  }

  /** Call once the chain is read over the same store: counts the client's ids that are no longer returned. */
  async onChain({ ask }: Running): Promise<void> {
    const after = new TailClient(ask, new Date(this.#world.start_ms).toISOString());
    await after.follow();
    const isRead = (id: string): boolean => typeof after.rows.get(id)?.["order_hash"] === "string";
    this.#lostToChain = [...this.#tail.rows.keys()].filter((id) => !isRead(id)).length;
  }

  end(): Polled {
    if (this.#reported === undefined) throw new Error("the world has not stood still yet");
    const { seen, tail } = this.#reported;
    const { ages } = this.#sights;
    const at = (of: keyof Ages) => ({ p50: quantile(ages[of], 0.5), p99: quantile(ages[of], 0.99) });
    const wrong = seen.underTwoIds + seen.changed + seen.vanished + (this.#lostToChain ?? 0);
    return {
      source: this.#source,
      seconds: this.#seconds,
      seen,
      tail,
      lostToChain: this.#lostToChain,
      freshness: { sinceMatch: at("sinceMatch"), sinceBlock: at("sinceBlock") },
      transactions: ages.sinceMatch.length,
      isGood: wrong === 0 && isAgreed(tail) && tail.truth > 0,
    };
  }

  async #newest(limit: number) {
    return (await this.#running.ask(556, {}, { limit })).rows;
  }

  #compareTail(): Tally {
    const [keys, source] = [fillKeys(this.#source), this.#source];
    const due = fillsOf(this.#world, source).filter(({ match }) => match.block_ms >= this.#sinceMs);
    const truth = new Map(due.map((fill) => [keys.ofTruth(fill), fill]));
    const compared = new Comparison(truth, (fill) => expectedFill(fill, source));
    for (const row of this.#tail.rows.values()) compared.take(keys.ofRow(row), row);
    return compared.end(`tail client (${source})`, this.#tail.rows.size);
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
