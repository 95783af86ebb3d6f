import type {
  MarketNames,
  MatchHappening,
  OutcomeIndex,
  PolymarketBook,
  PolymarketEvent,
  PolymarketMarket,
} from "../contract.ts";
import { firstIndex } from "../first-index.ts";
import type { CoreMarket } from "../core/core-market.ts";
import { HASH_KIND, mixHex } from "../core/mix-hash.ts";

/** A market as seen by the endpoints: names, plus the live book and figures of its core. */
export type MarketView = MarketFigures & MarketNames;

/** The live book and figures of a market's core. */
export class MarketFigures implements Omit<PolymarketMarket, keyof MarketNames> {
  readonly event: PolymarketEvent;
  readonly core: CoreMarket;
  readonly created_ms: number;
  readonly min_size_micro: number = 5_000_000;
  closed_ms: number | null = null;
  resolved_ms: number | null = null;
  payout_numerators: [number, number] | null = null;
  uma_status: PolymarketMarket["uma_status"] = "";
  was_disputed = false;
  volume_micro = 0;
  last_trade_price_e4: number | null = null;
  bookVersion = 0;
  bookMs: number;
  private readonly reached: () => number;
  private readonly seed: number;
  private readonly list: MatchHappening[] = [];
  private readonly volumes: number[] = [];

  constructor(core: CoreMarket, event: PolymarketEvent, at: number, seed: number, reached: () => number) {
    this.core = core;
    this.event = event;
    this.created_ms = at;
    this.bookMs = at;
    this.seed = seed;
    this.reached = reached;
  }

  get question_index(): number {
    return this.core.index;
  }
  get neg_risk(): boolean {
    return this.core.plan.kind === "neg_risk";
  }
  get tick_e4(): number {
    return this.core.tick;
  }
  get fee_rate_e4(): number {
    return this.core.plan.fee_rate;
  }
  get start_ms(): number {
    return this.created_ms;
  }
  get end_ms(): number {
    return this.core.plan.end;
  }
  get event_start_ms(): number | null {
    const { kind, start } = this.core.plan;
    return kind === "updown" || kind === "sports" ? start : null;
  }
  get closed(): boolean {
    return this.closed_ms !== null;
  }
  get accepting_orders(): boolean {
    return this.core.open;
  }
  get automatically_resolved(): boolean {
    return this.core.plan.kind === "updown";
  }
  get open_interest_micro(): number {
    return Math.floor((this.core.yesSupply + this.core.noSupply) / 2) * 10_000;
  }

  liquidity_micro(): number {
    let sum = 0;
    for (const level of this.core.bids.levels) sum += level.price * level.total;
    for (const level of this.core.asks.levels) sum += (10_000 - level.price) * level.total;
    return sum;
  }

  volume_24h_micro(): number {
    const since = this.reached() - 86_400_000;
    const before = this.volumes[firstIndex(this.list, since, (match) => match.ms) - 1];
    return this.volume_micro - (before ?? 0);
  }

  book(outcome: OutcomeIndex): PolymarketBook {
    const own = outcome === 0 ? this.core.bids : this.core.asks;
    const other = outcome === 0 ? this.core.asks : this.core.bids;
    const price = (yes: number): number => (outcome === 0 ? yes : 10_000 - yes);
    const toLevel = (level: { price: number; total: number }) => ({
      price_e4: price(level.price),
      size_micro: level.total * 10_000,
    });
    return {
      bids: own.levels.map(toLevel),
      asks: other.levels.map(toLevel).toReversed(),
      hash: this.hash(outcome),
      timestamp_ms: this.bookMs,
    };
  }

  bestBid(outcome: OutcomeIndex): number | null {
    const level = (outcome === 0 ? this.core.bids : this.core.asks).best();
    return level === undefined ? null : outcome === 0 ? level.price : 10_000 - level.price;
  }

  bestAsk(outcome: OutcomeIndex): number | null {
    const level = (outcome === 0 ? this.core.asks : this.core.bids).best();
    return level === undefined ? null : outcome === 0 ? level.price : 10_000 - level.price;
  }

  matches(): readonly MatchHappening[] {
    return this.list;
  }

  hash(outcome: OutcomeIndex): string {
    return mixHex(this.seed + this.core.number * 2 + outcome, HASH_KIND.book, this.bookVersion, 20).slice(2);
  }

  add(match: MatchHappening): void {
    this.list.push(match);
    this.volume_micro += match.taker.usd_micro;
    this.volumes.push(this.volume_micro);
    this.last_trade_price_e4 = match.taker.outcome === 0 ? match.touched_price_e4 : 10_000 - match.touched_price_e4;
  }
}
