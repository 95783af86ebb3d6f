import type { Happening } from "../../src/world/contract.ts";
import type {
  KalshiBook,
  KalshiEvent,
  KalshiMarket,
  KalshiQuote,
  KalshiSeries,
  KalshiTrade,
} from "../../src/world/kalshi-contract.ts";
import type { World } from "../../src/world/world.ts";

/** 2026-09-26T12:00:00Z */
export const NOW = Date.UTC(2026, 8, 26, 12);
export const MINUTE = 60_000;
export const DAY = 86_400_000;
/** Cutoff of the small world: a day before now. */
export const CUTOFF = NOW - DAY;

type MarketParts = Partial<Omit<KalshiMarket, "book" | "trades" | "quotes">> & {
  book?: KalshiBook;
  quotes?: KalshiQuote[];
};

/** A world with a few hand-made Kalshi markets and no Polymarket, for tests that check exact figures. */
export class SmallWorld {
  readonly events: KalshiEvent[] = [];
  readonly markets: KalshiMarket[] = [];
  readonly trades: KalshiTrade[] = [];
  readonly #listeners = new Set<(happening: Happening) => void>();
  #seq = 0;
  now = NOW;

  /** The world in the form that the server expects. */
  world(): World {
    return {
      seed: 0,
      start_ms: NOW - 10 * DAY,
      now: () => this.now,
      reached: () => this.now,
      advanceTo: () => undefined,
      on: (listener: (happening: Happening) => void) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      kalshi: {
        events: this.events,
        markets: this.markets,
        trades: this.trades,
        market: (ticker: string) => this.markets.find((market) => market.ticker === ticker),
        cutoff: () => CUTOFF,
      },
    } as unknown as World;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  addSeries(ticker: string, category = "Crypto"): KalshiSeries {
    return { ticker, category, settlement_sources: [] };
  }

  addEvent(series: KalshiSeries, event_ticker: string): KalshiEvent {
    const event: KalshiEvent = {
      event_ticker,
      series,
      title: `${event_ticker}?`,
      sub_title: "",
      mutually_exclusive: true,
      strike_ms: NOW + DAY,
      updated_ms: NOW - DAY,
      markets: [],
    };
    this.events.push(event);
    return event;
  }

  addMarket(event: KalshiEvent, ticker: string, parts: MarketParts = {}): KalshiMarket {
    const book = parts.book ?? { yes: [], no: [] };
    const quotes = parts.quotes ?? [];
    const trades: KalshiTrade[] = [];
    const market: KalshiMarket = {
      ticker,
      market_id: `9b0f6b43-0000-4000-8000-${String(this.markets.length).padStart(12, "0")}`,
      event,
      title: `Will ${ticker}?`,
      yes_sub_title: "Yes",
      no_sub_title: "No",
      rules_primary: "If it does.",
      strike_type: "greater",
      floor_strike: 100,
      cap_strike: null,
      price_level_structure: "linear_cent",
      price_ranges: [{ start_e4: 0, end_e4: 10_000, step_e4: 100 }],
      created_ms: NOW - 2 * DAY,
      open_ms: NOW - 2 * DAY,
      close_ms: NOW + DAY,
      expected_expiration_ms: NOW + DAY,
      latest_expiration_ms: NOW + 8 * DAY,
      updated_ms: NOW - 2 * DAY,
      determined_ms: null,
      settled_ms: null,
      status: "active",
      result: "",
      settlement_value_e4: null,
      expiration_value: "",
      settlement_timer_seconds: 1800,
      last_price_e4: null,
      previous_price_e4: null,
      previous_yes_bid_e4: null,
      previous_yes_ask_e4: null,
      volume_cc: 0,
      open_interest_cc: 0,
      volume_24h_cc: () => 0,
      ...parts,
      book: () => book,
      trades: () => trades,
      quotes: () => quotes,
    };
    event.markets.push(market);
    this.markets.push(market);
    return market;
  }

  /** Adds a trade and notifies the listeners. */
  trade(market: KalshiMarket, ms: number, yes_price_e4: number, count_cc: number, block = false): KalshiTrade {
    this.#seq += 1;
    const trade: KalshiTrade = {
      kind: "kalshi_trade",
      seq: this.#seq,
      ms,
      trade_id: `0723a045-0000-4000-8000-${String(this.#seq).padStart(12, "0")}`,
      market,
      yes_price_e4,
      count_cc,
      taker_side: "yes",
      is_block_trade: block,
    };
    (market.trades() as KalshiTrade[]).push(trade);
    this.trades.push(trade);
    this.emit(trade);
    return trade;
  }

  /** Changes a level of the book by a signed count and notifies the listeners. */
  change(market: KalshiMarket, side: "yes" | "no", price_e4: number, delta_cc: number): void {
    const levels = market.book()[side];
    const at = levels.findIndex((level) => level.price_e4 === price_e4);
    const level = levels[at];
    if (level) level.size_cc += delta_cc;
    else levels.push({ price_e4, size_cc: delta_cc });
    if (level?.size_cc === 0) levels.splice(at, 1);
    levels.sort((a, b) => a.price_e4 - b.price_e4);
    this.#seq += 1;
    this.emit({ kind: "kalshi_book", seq: this.#seq, ms: this.now, market, side, price_e4, delta_cc });
  }

  emit(happening: Happening): void {
    for (const listener of this.#listeners) listener(happening);
  }
}
