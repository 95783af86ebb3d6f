import type { AssetPath } from "../core/asset-path.ts";
import { BeliefLatent } from "../core/belief-latent.ts";
import type { EventHeap } from "../core/event-heap.ts";
import type { KalshiEvent, KalshiLifecycleHappening } from "../kalshi-contract.ts";
import { KalshiLatent } from "./kalshi-latent.ts";
import type { KalshiEventPlan } from "./kalshi-plan.ts";
import { planDay, planGame, planHour, planQuarter, planSingle } from "./kalshi-plans.ts";
import type { KalshiState } from "./kalshi-state.ts";
import { type KalshiDesk, kalshiQuote, kalshiTrade } from "./kalshi-trading.ts";
import { KalshiFigures, type KalshiView } from "./kalshi-view.ts";
import { type Latent, PairLatent } from "../core/latent.ts";
import type { Task } from "../core/simulation.ts";
import { spoilKalshiPlan } from "../hostile/hostile-texts.ts";
import type { JumpTruth } from "../world.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const MIN_DISPUTED_MS = 30 * 60_000;

/** Whether an event's result is disputed before settlement: one in twenty of those not settled within half an hour. */
function isDisputed(plan: KalshiEventPlan): boolean {
  return plan.settle_after >= MIN_DISPUTED_MS && plan.number % 20 === 7;
}

export interface KalshiParts extends KalshiDesk {
  queue: EventHeap<Task>;
  state: KalshiState;
  path: (symbol: string) => AssetPath;
  jumps: JumpTruth[];
  reached: () => number;
  /** Called with every finished market. */
  onSettled?: (market: KalshiView) => void;
  start: number;
  /** Approximate number of concurrent markets. */
  markets: number;
  activity: number;
  /** Share of events whose texts are hostile; default 0. */
  hostile?: number;
}

/** Kalshi's core: endless series, whose events are listed, trade, are determined and settled. */
export class KalshiSimulation {
  private readonly parts: KalshiParts;
  private number = 0;

  constructor(parts: KalshiParts) {
    this.parts = parts;
    const { start, rng } = parts;
    const share = parts.markets / 100;
    const strikes = Math.max(3, Math.round(9 * share));
    this.every(15 * 60_000, 45 * 60_000, (n, close) => planQuarter(n, close));
    for (const asset of ["btc", "eth"] as const) {
      this.every(HOUR, 3 * HOUR, (n, close) => planHour(n, close, asset, parts.path(asset), strikes));
    }
    this.every(DAY, 2 * DAY, (n, close) => planDay(n, close + 5 * HOUR, rng));
    const singles = Math.max(3, Math.round(30 * share));
    const games = Math.max(2, Math.round(8 * share));
    for (let i = 0; i < singles; i += 1)
      this.chain(start + 5000 + i * 1000, (n, at) => planSingle(n, at, rng, rng.wait(8 * DAY) + 4 * HOUR));
    for (let i = 0; i < games; i += 1) this.chain(start + 4000 + i * 900_000, (n, at) => planGame(n, at, rng));
  }

  /** Creates an event for each multiple of `period`, listed `ahead` of its close. */
  private every(period: number, ahead: number, plan: (number: number, close: number) => KalshiEventPlan): void {
    const { queue, start } = this.parts;
    const list = (close: number): void => {
      queue.push(Math.max(start, close - ahead), (at) => {
        this.number += 1;
        this.list(plan(this.number, close), at);
        list(close + period);
      });
    };
    list((Math.floor(start / period) + 1) * period + period);
  }

  /** Creates one event after another. */
  private chain(first: number, plan: (number: number, at: number) => KalshiEventPlan): void {
    this.parts.queue.push(first, (at) => {
      this.number += 1;
      const next = plan(this.number, at);
      this.list(next, at);
      this.chain((next.early?.close ?? next.close) + HOUR, plan);
    });
  }

  private latentOf(plan: KalshiEventPlan, markets: KalshiView[]): Latent {
    const { rng, path, jumps } = this.parts;
    if (plan.asset !== null) return new KalshiLatent(plan, path(plan.asset), rng);
    if (plan.markets.some((market) => market.strike_type !== "")) return new KalshiLatent(plan, null, rng);
    const belief = {
      number: plan.number,
      created: plan.created,
      start: plan.created,
      end: plan.close,
      variance: plan.variance,
      variance_live: plan.variance,
      jumps: 0.15,
      first: [plan.first_value],
    };
    const onJump = (ms: number, _: number, before: number, after: number): void => {
      const ticker = markets[0]?.ticker ?? plan.event_ticker;
      const [before_e4, after_e4] = [Math.round(before * 10_000), Math.round(after * 10_000)];
      jumps.push({ ms, venue: "kalshi", market: ticker, before_e4, after_e4 });
    };
    return new PairLatent(new BeliefLatent(belief, rng, onJump, "kalshi belief"), plan.markets.length);
  }

  private named(plan: KalshiEventPlan): KalshiEventPlan {
    const spoiler = this.parts.rng.fork(`hostile kalshi ${plan.number}`);
    return spoiler.chance(this.parts.hostile ?? 0) ? spoilKalshiPlan(plan, spoiler) : plan;
  }

  private list(listed: KalshiEventPlan, at: number): void {
    const { state, seed, reached, counts, queue } = this.parts;
    const plan = { ...this.named(listed), created: at, open: Math.max(listed.open, at) };
    const event: KalshiEvent = {
      event_ticker: plan.event_ticker,
      series: plan.series,
      title: plan.title,
      sub_title: plan.sub_title,
      mutually_exclusive: plan.mutually_exclusive,
      strike_ms: plan.asset === null ? null : plan.close,
      updated_ms: at,
      markets: [],
    };
    const markets: KalshiView[] = [];
    const latent = this.latentOf(plan, markets);
    for (const market of plan.markets)
      markets.push(Object.assign(new KalshiFigures(plan, market, latent, event, seed, reached), market));
    event.markets = markets;
    state.add(event, markets);
    counts.kalshi_markets += markets.length;
    for (const market of markets) {
      this.publish(market, at, "created");
      queue.push(plan.open, (now) => this.step(market, now, false));
    }
    if (plan.window_start !== null) queue.push(plan.window_start, (now) => latent.advance(now));
    this.schedule(plan, markets, latent);
  }

  private schedule(plan: KalshiEventPlan, markets: KalshiView[], latent: Latent): void {
    const { queue } = this.parts;
    const { early, pause } = plan;
    queue.push(early?.close ?? plan.close, (now) => this.close(markets, latent, now));
    const each = (at: number, act: (market: KalshiView, now: number) => void): void =>
      queue.push(at, (now) => {
        for (const market of markets) act(market, now);
      });
    if (early !== null) {
      each(early.published, (market, now) => {
        market.close_ms = early.close;
        this.publish(market, now, "close_date_updated");
      });
    }
    if (pause === null) return;
    each(pause.from, (market, now) => {
      market.paused = true;
      this.publish(market, now, "deactivated");
    });
    each(pause.to, (market, now) => {
      market.paused = false;
      this.publish(market, now, "activated");
    });
  }

  private step(market: KalshiView, at: number, trades: boolean): void {
    const { rng, queue, activity } = this.parts;
    market.latent.advance(at);
    if (!market.paused) kalshiQuote(this.parts, market, at);
    if (trades && !market.paused) kalshiTrade(this.parts, market, at);
    const p = market.latent.p(market.index);
    const pace = market.plan.pace * activity * (0.15 + 3.4 * p * (1 - p)) * 1.8;
    const drawn = at + Math.max(1, Math.round(rng.wait(HOUR / pace)));
    const jump = market.latent.wakeAt();
    const next = jump > at && jump < drawn ? jump : drawn;
    if (next < market.close_ms) queue.push(next, (now) => this.step(market, now, rng.chance(1 / 1.8)));
  }

  private close(markets: KalshiView[], latent: Latent, at: number): void {
    const { queue } = this.parts;
    latent.advance(at);
    for (const market of markets) {
      for (const side of ["yes", "no"] as const) market[side].levels.length = 0;
      market.updated_ms = at;
    }
    const plan = (markets[0] as KalshiView).plan;
    queue.push(at + plan.determine_after, (now) => {
      const answers = latent.decide();
      const value = latent instanceof KalshiLatent ? latent.final() : "";
      for (const [i, market] of markets.entries()) this.determine(market, now, answers[i] === true, value);
    });
    if (isDisputed(plan)) this.dispute(markets, at + plan.determine_after, plan.settle_after);
    queue.push(at + plan.determine_after + plan.settle_after, (now) => {
      for (const market of markets) {
        market.settled_ms = now;
        this.publish(market, now, "settled");
        this.parts.onSettled?.(market);
      }
    });
  }

  /**
   * Disputes a result between determination and settlement; REST shows it, the websocket has no message for it. The
   * result stays.
   */
  private dispute(markets: KalshiView[], determined: number, wait: number): void {
    const { queue } = this.parts;
    queue.push(determined + Math.round(wait / 4), (now) => {
      for (const market of markets) Object.assign(market, { dispute: "disputed", updated_ms: now });
    });
    queue.push(determined + Math.round(wait / 2), (now) => {
      for (const market of markets) Object.assign(market, { dispute: "amended", updated_ms: now });
    });
  }

  private determine(market: KalshiView, at: number, yes: boolean, value: string): void {
    const scalar = market.plan.scalar_e4;
    market.determined_ms = at;
    market.result = scalar === null ? (yes ? "yes" : "no") : "scalar";
    market.settlement_value_e4 = scalar ?? (yes ? 10_000 : 0);
    market.expiration_value = scalar === null ? value || (yes ? "Yes" : "No") : "Cancelled";
    this.publish(market, at, "determined");
  }

  private publish(market: KalshiView, at: number, event_type: KalshiLifecycleHappening["event_type"]): void {
    const { bus } = this.parts;
    market.updated_ms = at;
    market.event.updated_ms = at;
    bus.emit({ kind: "kalshi_lifecycle", seq: bus.next(), ms: at, market, event_type });
  }
}
