import type { KalshiEvent, KalshiTrade } from "../kalshi-contract.ts";
import type { KalshiView } from "./kalshi-view.ts";
import type { KalshiWorld } from "../world.ts";

/** All Kalshi data served by its endpoints, by ticker. */
export class KalshiState implements KalshiWorld {
  readonly events: KalshiEvent[] = [];
  readonly markets: KalshiView[] = [];
  readonly trades: KalshiTrade[] = [];
  private readonly byMarket: Map<string, KalshiView> = new Map();
  private readonly cutoffOf: () => number;

  constructor(cutoffOf: () => number) {
    this.cutoffOf = cutoffOf;
  }

  market(ticker: string): KalshiView | undefined {
    return this.byMarket.get(ticker);
  }

  cutoff(): number {
    return this.cutoffOf();
  }

  add(event: KalshiEvent, markets: KalshiView[]): void {
    this.events.push(event);
    for (const market of markets) {
      this.markets.push(market);
      this.byMarket.set(market.ticker, market);
    }
  }
}
