import type { BookHappening, Happening } from "../../packages/exchange/src/world/contract.ts";
import type { KalshiBookHappening } from "../../packages/exchange/src/world/kalshi-contract.ts";
import type { World } from "../../packages/exchange/src/world/world.ts";

/** Level ("bid 5200", price in 1e-4) → size in the venue's unit (1e-6 shares, 1e-2 contracts). */
export type Book = ReadonlyMap<string, number>;
export type Venue = "polymarket" | "kalshi";
export type Instrument = {
  readonly venue: Venue;
  readonly name: string;
  /** When trading ends: the venue's book is empty from then on, while the world's stays as it was last. */
  readonly endMs?: number;
};

type Change = { readonly ms: number; readonly level: string; readonly size: number; readonly isDelta: boolean };

/** Every book of the world at any time since construction: rebuilt from its events, not from endpoints. */
export class BookHistory {
  readonly startMs: number;
  readonly #first = new Map<string, Book>();
  readonly #changes = new Map<string, Change[]>();
  readonly #instruments: Instrument[] = [];
  readonly #stop: () => void;

  constructor(world: World) {
    this.startMs = world.reached();
    for (const market of world.polymarket.markets) {
      if (market.closed) continue;
      for (const outcome of [0, 1] as const) {
        const { bids, asks } = market.book(outcome);
        this.#begin({ venue: "polymarket", name: market.token_ids[outcome] }, [
          ...bids.map(({ price_e4, size_micro }) => [`bid ${price_e4}`, size_micro] as const),
          ...asks.map(({ price_e4, size_micro }) => [`ask ${price_e4}`, size_micro] as const),
        ]);
      }
    }
    for (const market of world.kalshi.markets) {
      if (market.status !== "active") continue;
      const { yes, no } = market.book();
      this.#begin({ venue: "kalshi", name: market.ticker, endMs: market.close_ms }, [
        ...yes.map(({ price_e4, size_cc }) => [`bid ${price_e4}`, size_cc] as const),
        ...no.map(({ price_e4, size_cc }) => [`ask ${10_000 - price_e4}`, size_cc] as const),
      ]);
    }
    this.#stop = world.on((happening) => this.#hear(happening));
  }

  /** The instruments that had a book at construction. */
  get instruments(): readonly Instrument[] {
    return this.#instruments;
  }

  changesOf({ name }: Instrument): number {
    return this.#changes.get(name)?.length ?? 0;
  }

  bookAt({ name }: Instrument, ms: number): Book {
    const book = new Map(this.#first.get(name));
    for (const change of this.#changes.get(name) ?? []) {
      if (change.ms > ms) break;
      const size = change.isDelta ? (book.get(change.level) ?? 0) + change.size : change.size;
      if (size === 0) book.delete(change.level);
      else book.set(change.level, size);
    }
    return book;
  }

  close(): void {
    this.#stop();
  }

  #begin(instrument: Instrument, levels: readonly (readonly [string, number])[]): void {
    this.#instruments.push(instrument);
    this.#first.set(instrument.name, new Map(levels));
  }

  #hear(happening: Happening): void {
    if (happening.kind === "book") this.#hearPolymarket(happening);
    if (happening.kind === "kalshi_book") this.#hearKalshi(happening);
  }

  #hearPolymarket({ ms, token_id, levels }: BookHappening): void {
    for (const { side, price_e4, size_micro } of levels) {
      const level = `${side === "BUY" ? "bid" : "ask"} ${price_e4}`;
      this.#add(token_id, { ms, level, size: size_micro, isDelta: false });
    }
  }

  #hearKalshi({ ms, market, side, price_e4, delta_cc }: KalshiBookHappening): void {
    const level = side === "yes" ? `bid ${price_e4}` : `ask ${10_000 - price_e4}`;
    this.#add(market.ticker, { ms, level, size: delta_cc, isDelta: true });
  }

  #add(name: string, change: Change): void {
    const changes = this.#changes.get(name);
    if (changes === undefined) this.#changes.set(name, [change]);
    else changes.push(change);
  }
}
