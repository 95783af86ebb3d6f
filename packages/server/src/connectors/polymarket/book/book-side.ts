import { toMicro } from "../exact/values.ts";
import type { PriceChange } from "./read-frame.ts";

export type ChangedLevel = Level & { readonly side: "BUY" | "SELL" };

/** The changes of one message to one token's book, and the best prices and hash it reports after them. */
export type BookChange = {
  readonly asset_id: string;
  readonly ms: number;
  readonly levels: readonly ChangedLevel[];
  readonly hash: string | undefined;
  /** Millionths; null for an empty side (upstream writes 0 and 1); undefined if absent. */
  readonly bestBid: number | null | undefined;
  readonly bestAsk: number | null | undefined;
};

const ONE_MICRO = 1_000_000;

/** The changes of a message by token, in either message form; one message may touch both tokens of a market. */
export function changedLevels(message: PriceChange): readonly BookChange[] {
  const ms = message.timestamp;
  if ("changes" in message) {
    const { asset_id, changes: levels, hash } = message;
    return [{ asset_id, ms, levels, hash, bestBid: undefined, bestAsk: undefined }];
  }
  const byAsset = new Map<string, (typeof message.price_changes)[number][]>();
  for (const change of message.price_changes) {
    byAsset.set(change.asset_id, [...(byAsset.get(change.asset_id) ?? []), change]);
  }
  return [...byAsset].map(([asset_id, levels]) => {
    const last = levels.at(-1);
    return { asset_id, ms, levels, hash: last?.hash, bestBid: toBest(last?.best_bid), bestAsk: toBest(last?.best_ask) };
  });
}

function toBest(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  const price = Number(toMicro(text));
  return price <= 0 || price >= ONE_MICRO ? null : price;
}

/** A level with the upstream texts. */
export type Level = { readonly price: string; readonly size: string };

type Kept = Level & { readonly ms: number };

/**
 * One side of a book, by price. The latest update of a level by the venue's clock wins, so that a late message does not
 * undo a later one; removed levels leave their time behind.
 */
export class BookSide {
  readonly #levels = new Map<number, Kept>();
  readonly #gone = new Map<number, number>();
  #sorted: readonly Kept[] | undefined;
  #wholeMs = 0;

  /** Replaces all levels. */
  replace(levels: readonly Level[], ms: number): void {
    this.#levels.clear();
    this.#gone.clear();
    this.#sorted = undefined;
    this.#wholeMs = ms;
    for (const { price, size } of levels)
      if (toMicro(size) > 0n) this.#levels.set(microPrice(price), { price, size, ms });
  }

  /** Sets a level's new total; 0 removes it. False if a later update of the level was already applied. */
  set(level: Level, ms: number): boolean {
    const price = microPrice(level.price);
    const known = this.#levels.get(price)?.ms ?? this.#gone.get(price) ?? this.#wholeMs;
    if (ms < known) return false;
    this.#sorted = undefined;
    if (toMicro(level.size) === 0n) {
      this.#levels.delete(price);
      this.#gone.set(price, ms);
    } else {
      this.#levels.set(price, { ...level, ms });
      this.#gone.delete(price);
    }
    return true;
  }

  /** Levels by rising price. */
  rising(): readonly Level[] {
    this.#sorted ??= [...this.#levels].sort(([a], [b]) => a - b).map(([, level]) => level);
    return this.#sorted;
  }

  /** The highest or lowest price in millionths; null when the side is empty. */
  best(which: "highest" | "lowest"): number | null {
    let best: number | null = null;
    for (const price of this.#levels.keys()) {
      if (best === null || (which === "highest" ? price > best : price < best)) best = price;
    }
    return best;
  }
}

/** Prices are within 0…1, so their millionths fit a number exactly. */
function microPrice(price: string): number {
  return Number(toMicro(price));
}
