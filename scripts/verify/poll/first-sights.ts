import type { World } from "../../../packages/exchange/src/world/world.ts";
import type { Row } from "../tally.ts";

/** Milliseconds of world time, which is real time, at which transactions were first answered. */
export type Ages = { readonly sinceMatch: number[]; readonly sinceBlock: number[] };

/** Takes pages of trades and notes how old each transaction is when it is seen first. */
export class FirstSights {
  readonly ages: Ages = { sinceMatch: [], sinceBlock: [] };
  readonly #world: World;
  readonly #seen = new Set<unknown>();
  readonly #matchedAt = new Map<string, number>();
  readonly #fromMs: number;
  #indexed = 0;

  /** What was matched before `fromMs` is of any age. */
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
