import { AssetPath } from "./asset-path.ts";
import { BeliefLatent } from "./belief-latent.ts";
import { CoreMarket, type Exchange } from "./core-market.ts";
import type { CoreSink } from "./core-sink.ts";
import type { Crowd } from "./crowd.ts";
import { EventHeap } from "./event-heap.ts";
import type { EventPlan } from "./event-plan.ts";
import { type Latent, UpdownLatent } from "./latent.ts";
import { type PlanSettings, PlanStream } from "./plan-stream.ts";
import { RedeemQueue } from "./redeem-queue.ts";
import type { Rng } from "./rng.ts";
import type { Arena } from "./taker-agent.ts";
import { tradeStep } from "./trade-step.ts";

/** Probability, as one in this many market steps, that a former trader transfers shares to another wallet. */
const ONE_IN = 60;
/** Minimum transfer; less than a share is not worth a transaction. */
const LEAST = 100;

/** Possibly transfers shares of a holder, all or half, to another wallet: a new account, a debt, a gift. */
function moveShares(market: CoreMarket, crowd: Crowd, at: number, rng: Rng): void {
  if (rng.below(ONE_IN) !== 0 || !market.open || market.recent.length === 0) return;
  const from = rng.pick(market.recent);
  const to = rng.pick(crowd.noise);
  const isWhole = rng.chance(0.6);
  const part = (held: number): number => (held < LEAST ? 0 : isWhole ? held : Math.floor(held / 2));
  const yes = part(market.available(from, 0));
  const no = part(market.available(from, 1));
  if (from !== to && yes + no > 0) market.transfer(at, from, to, yes, no);
}

const HOUR = 3_600_000;

/** A scheduled task; several kinds of worlds share one queue of these. */
export type Task = (at: number) => void;

export interface SimulationParts extends Arena {
  sink: CoreSink;
  queue: EventHeap<Task>;
  settings: PlanSettings;
  /** Number of the first market, so that shards use disjoint numbers. */
  firstMarket: number;
}

/** Polymarket's core: markets are created, trade, close, are resolved and redeemed, all in tasks of the queue. */
export class Simulation {
  readonly paths: Map<string, AssetPath> = new Map();
  readonly exchange: Exchange;
  private readonly parts: SimulationParts;
  private readonly plans: PlanStream;
  private readonly redeems: RedeemQueue;
  private readonly moves: Rng;
  private marketCount: number;

  constructor(parts: SimulationParts) {
    this.parts = parts;
    this.exchange = { purses: parts.purses, sink: parts.sink, nextOrder: 1 };
    this.plans = new PlanStream(parts.rng, parts.settings);
    this.redeems = new RedeemQueue(parts);
    this.moves = parts.rng.fork("moves of shares");
    this.marketCount = parts.firstMarket;
    this.planNext();
  }

  path(symbol: string): AssetPath {
    let path = this.paths.get(symbol);
    if (path === undefined) {
      path = new AssetPath(symbol, this.parts.settings.start, this.parts.rng);
      this.paths.set(symbol, path);
    }
    return path;
  }

  private planNext(): void {
    const plan = this.plans.next();
    this.parts.queue.push(Math.max(plan.created, this.parts.settings.start), (at) => {
      this.create(plan, at);
      this.planNext();
    });
  }

  private latentOf(plan: EventPlan, markets: CoreMarket[]): Latent {
    if (plan.asset !== null) return new UpdownLatent(this.path(plan.asset), plan.created, plan.start, plan.end);
    return new BeliefLatent(plan, this.parts.rng, (at, question, before, after) => {
      const market = markets[question];
      if (market !== undefined) this.parts.sink.jump(market, at, before, after);
    });
  }

  private create(plan: EventPlan, at: number): void {
    const { rng, queue, crowd, sink } = this.parts;
    const markets: CoreMarket[] = [];
    const latent = this.latentOf(plan, markets);
    for (let i = 0; i < plan.questions; i += 1) {
      const market = new CoreMarket(this.exchange, this.marketCount, plan, i, latent);
      this.marketCount += 1;
      const makers = Math.min(crowd.makers.length, rng.chance(0.6) ? 2 : 1);
      while (market.makers.length < makers) {
        const maker = rng.pick(crowd.makers);
        if (!market.makers.includes(maker)) market.makers.push(maker);
      }
      market.quotes = market.makers.map(() => []);
      market.open = true;
      markets.push(market);
      sink.created(market, at);
    }
    this.stock(markets, at);
    for (const market of markets) this.schedule(market, at, markets);
    if (plan.asset !== null) queue.push(plan.start, (now) => latent.advance(now));
    queue.push(plan.end, (now) => this.close(markets, now));
  }

  /** Mints complete sets for makers to sell: for all questions of an event that they quote, in one transaction. */
  private stock(markets: readonly CoreMarket[], at: number): void {
    const { rng, queue } = this.parts;
    const stocked = markets.filter((market) => market.makers.length > 0 && rng.chance(0.6));
    const byMaker = Map.groupBy(stocked, (market) => market.makers[0] as number);
    for (const [maker, own] of byMaker) {
      queue.push(at + 1000 + rng.below(20_000), (now) => {
        for (const market of own) market.split(now, maker, Math.round(market.plan.depth * 6) * 100);
      });
    }
  }

  private schedule(market: CoreMarket, at: number, siblings: CoreMarket[]): void {
    const { plan } = market;
    const { rng, queue, settings } = this.parts;
    const pace = at < plan.start ? plan.pace : plan.pace_live;
    const gap = Math.max(1, Math.round(rng.wait(HOUR / (pace * (1 + settings.idle)))));
    const drawn = at < plan.start && at + gap > plan.start ? plan.start + rng.below(Math.min(gap, 20_000)) : at + gap;
    const jump = market.latent.wakeAt();
    const next = jump > at && jump < drawn ? jump : drawn;
    if (next >= plan.end) return;
    queue.push(next, (now) => {
      const trades = rng.unit() * (1 + settings.idle) < 1;
      for (const intent of tradeStep(this.parts, market, now, trades, siblings)) queue.push(intent.at, intent.act);
      moveShares(market, this.parts.crowd, now, this.moves);
      this.schedule(market, now, siblings);
    });
  }

  private close(markets: CoreMarket[], at: number): void {
    const { queue, sink, rng } = this.parts;
    for (const market of markets) {
      market.latent.advance(at);
      cancelAll(market);
      market.flush(at, false);
      market.open = false;
      sink.closed(market, at);
    }
    const plan = (markets[0] as CoreMarket).plan;
    if (plan.disputed) {
      queue.push(at + Math.round(plan.answer_after / 2), (now) => {
        for (const market of markets) sink.disputed(market, now);
      });
    }
    const wait = plan.disputed ? plan.answer_after + Math.round(rng.between(4, 12) * HOUR) : plan.answer_after;
    queue.push(at + wait, (now) => this.answer(markets, now));
  }

  private answer(markets: CoreMarket[], at: number): void {
    const answers = (markets[0] as CoreMarket).latent.decide();
    for (const [i, market] of markets.entries()) {
      market.payout = market.plan.voided ? [1, 1] : answers[i] === true ? [1, 0] : [0, 1];
      this.parts.sink.resolved(market, at, market.payout);
    }
    for (const market of markets) this.redeems.add(market, at, markets);
  }
}

/** Ends trading: every resting order is cancelled and its locked funds and shares are released. */
function cancelAll(market: CoreMarket): void {
  for (const side of [market.bids, market.asks]) {
    while (side.levels.length > 0) {
      const level = side.best();
      if (level !== undefined) market.cancel(side.first(level));
    }
  }
  market.quotes = market.makers.map(() => []);
  market.loose.length = 0;
}
