import { describe, expect, test } from "vitest";
import { smallWorld } from "./small-world.ts";

describe("books", () => {
  const { world, happenings } = smallWorld();

  test("can be rebuilt from changes alone, with their hashes", () => {
    const books = new Map<string, { BUY: Map<number, number>; SELL: Map<number, number>; hash: string }>();
    const wrong: unknown[] = [];
    for (const h of happenings) {
      if (h.kind !== "book") continue;
      let book = books.get(h.token_id);
      if (book === undefined) books.set(h.token_id, (book = { BUY: new Map(), SELL: new Map(), hash: "" }));
      for (const level of h.levels) {
        if (level.size_micro === 0) book[level.side].delete(level.price_e4);
        else book[level.side].set(level.price_e4, level.size_micro);
      }
      book.hash = h.hash;
      const bid = book.BUY.size === 0 ? null : Math.max(...book.BUY.keys());
      const ask = book.SELL.size === 0 ? null : Math.min(...book.SELL.keys());
      if (h.best_bid_e4 !== bid || h.best_ask_e4 !== ask) wrong.push(h);
      if (bid !== null && ask !== null && bid >= ask) wrong.push(h);
    }
    expect(wrong.length).toBe(0);
    let compared = 0;
    for (const market of world.polymarket.markets) {
      for (const outcome of [0, 1] as const) {
        const rebuilt = books.get(market.token_ids[outcome]);
        if (rebuilt === undefined) continue;
        const book = market.book(outcome);
        expect(Object.fromEntries(rebuilt.BUY)).toEqual(
          Object.fromEntries(book.bids.map((l) => [l.price_e4, l.size_micro])),
        );
        expect(Object.fromEntries(rebuilt.SELL)).toEqual(
          Object.fromEntries(book.asks.map((l) => [l.price_e4, l.size_micro])),
        );
        expect(rebuilt.hash).toBe(book.hash);
        compared += book.bids.length;
      }
    }
    expect(compared).toBeGreaterThan(100);
  });

  test("have ascending sides, and NO mirrors YES", () => {
    for (const market of world.polymarket.markets) {
      const [yes, no] = [market.book(0), market.book(1)];
      expect(yes.bids.map((l) => l.price_e4)).toEqual(yes.bids.map((l) => l.price_e4).toSorted((a, b) => a - b));
      expect(yes.asks.map((l) => l.price_e4)).toEqual(yes.asks.map((l) => l.price_e4).toSorted((a, b) => a - b));
      const mirror = yes.bids.map((l) => ({ price_e4: 10_000 - l.price_e4, size_micro: l.size_micro })).toReversed();
      expect(no.asks).toEqual(mirror);
    }
  });

  test("of Kalshi can be rebuilt from deltas, and their YES and NO bids never cross", () => {
    const books = new Map<string, Map<string, number>>();
    for (const h of happenings) {
      if (h.kind !== "kalshi_book") continue;
      let book = books.get(h.market.ticker);
      if (book === undefined) books.set(h.market.ticker, (book = new Map()));
      const key = `${h.side} ${h.price_e4}`;
      const size = (book.get(key) ?? 0) + h.delta_cc;
      if (size < 0) throw new Error(`${h.market.ticker} ${key} fell below zero`);
      if (size === 0) book.delete(key);
      else book.set(key, size);
    }
    let open = 0;
    for (const market of world.kalshi.markets) {
      if (market.status !== "active") continue;
      open += 1;
      const book = market.book();
      const live = new Map<string, number>();
      for (const side of ["yes", "no"] as const)
        for (const l of book[side]) live.set(`${side} ${l.price_e4}`, l.size_cc);
      expect(books.get(market.ticker) ?? new Map()).toEqual(live);
      const [yes, no] = [book.yes.at(-1)?.price_e4 ?? 0, book.no.at(-1)?.price_e4 ?? 0];
      expect(yes + no).toBeLessThan(10_000);
    }
    expect(open).toBeGreaterThan(10);
  });
});
