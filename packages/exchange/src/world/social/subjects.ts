import type { PolymarketState } from "../polymarket/polymarket-state.ts";
import type { MarketView } from "../polymarket/market-view.ts";
import { nameSubject } from "./name-subject.ts";
import type { Rng } from "../core/rng.ts";

/** Markets that posts can be about: open ones, without the up/down windows. */
export class Subjects {
  private readonly state: PolymarketState;
  private readonly byQuestion: Map<string, MarketView[]> = new Map();
  private readonly byNames: Map<string, MarketView[]> = new Map();
  private open: MarketView[] = [];
  private seen = 0;

  constructor(state: PolymarketState) {
    this.state = state;
  }

  /** Picks an open market: the more famous of two random ones. Fame is constant over a market's lifetime. */
  pick(rng: Rng): MarketView | undefined {
    this.look();
    if (this.open.length === 0) return undefined;
    const [one, other] = [rng.pick(this.open), rng.pick(this.open)];
    return fame(one) >= fame(other) ? one : other;
  }

  /** Open markets with the same question, including this one while it is open. */
  alike(market: MarketView): MarketView[] {
    this.look();
    return (this.byQuestion.get(market.question) ?? []).filter(isOpen);
  }

  /** Open markets with the same names, including this one while it is open. */
  alikeByName(market: MarketView): MarketView[] {
    this.look();
    return (this.byNames.get(namesKey(market)) ?? []).filter(isOpen);
  }

  /** Open markets of an event and of events with the same title. */
  ofTitle(title: string): MarketView[] {
    this.look();
    return this.open.filter((market) => market.event.title === title);
  }

  private look(): void {
    const { markets } = this.state;
    for (; this.seen < markets.length; this.seen += 1) {
      const market = markets[this.seen] as MarketView;
      if (market.core.plan.asset !== null) continue;
      this.open.push(market);
      add(this.byQuestion, market.question, market);
      add(this.byNames, namesKey(market), market);
    }
    if (!this.open.every(isOpen)) this.open = this.open.filter(isOpen);
  }
}

function add(index: Map<string, MarketView[]>, key: string, market: MarketView): void {
  index.set(key, [...(index.get(key) ?? []), market]);
}

function namesKey(market: MarketView): string {
  const names = nameSubject(market).map(({ text }) => text);
  return names.toSorted().join("|");
}

function isOpen(market: MarketView): boolean {
  return market.closed_ms === null;
}

function fame(market: MarketView): number {
  return Number.parseInt(market.condition_id.slice(2, 8), 16);
}
