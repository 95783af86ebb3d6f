import type { PolymarketState } from "../polymarket/polymarket-state.ts";
import type { MarketView } from "../polymarket/market-view.ts";
import { nameSubject } from "./name-subject.ts";
import type { Rng } from "../core/rng.ts";

/** Markets that people can talk about: those that trade, without the windows of minutes. */
export class Subjects {
  private readonly state: PolymarketState;
  private readonly byQuestion: Map<string, MarketView[]> = new Map();
  private readonly byNames: Map<string, MarketView[]> = new Map();
  private open: MarketView[] = [];
  private seen = 0;

  constructor(state: PolymarketState) {
    this.state = state;
  }

  /** One that trades now. Of two, the one that more is said about: some are famous for as long as they live. */
  pick(rng: Rng): MarketView | undefined {
    this.look();
    if (this.open.length === 0) return undefined;
    const [one, other] = [rng.pick(this.open), rng.pick(this.open)];
    return fame(one) >= fame(other) ? one : other;
  }

  /** Open markets that ask the same as this one; itself among them while it is open. */
  alike(market: MarketView): MarketView[] {
    this.look();
    return (this.byQuestion.get(market.question) ?? []).filter(isOpen);
  }

  /** Open markets that bear the same names; itself among them while it is open. */
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
