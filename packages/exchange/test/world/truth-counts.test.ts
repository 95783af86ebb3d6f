import { describe, expect, test } from "vitest";
import type { Happening } from "../../src/world/contract.ts";
import { isTalk } from "../../src/world/social-happenings.ts";
import { smallWorld } from "./small-world.ts";

describe("the truth's counts", () => {
  const { world, happenings } = smallWorld();
  const truth = world.truth();
  const of = (kind: Happening["kind"]): number => happenings.filter((h) => h.kind === kind).length;

  test("equal the numbers of happenings of each kind", () => {
    const legs = happenings.reduce((sum, h) => sum + (h.kind === "match" ? 1 + h.makers.length : 0), 0);
    expect(truth).toMatchObject({
      fills: legs,
      matches: of("match"),
      polymarket_markets: of("market_created"),
      resolved_markets: of("market_resolved"),
      splits: of("split"),
      merges: of("merge"),
      conversions: of("convert"),
      redemptions: of("redeem"),
      transfers: of("transfer"),
      book_changes: of("book"),
      kalshi_trades: of("kalshi_trade"),
      kalshi_book_changes: of("kalshi_book"),
      posts: of("post"),
      last_seq: happenings.filter((h) => !isTalk(h)).length,
      last_talk_seq: happenings.filter(isTalk).length,
    });
    expect(truth.polymarket_markets).toBe(world.polymarket.markets.length);
    expect(truth.polymarket_events).toBe(world.polymarket.events.length);
    expect(truth.kalshi_markets).toBe(world.kalshi.markets.length);
    expect(world.polymarket.matches).toHaveLength(truth.matches);
    expect(world.kalshi.trades).toHaveLength(truth.kalshi_trades);
  });

  test("cover every kind of happening, match and exchange version", () => {
    const kinds = new Set(happenings.map((h) => h.kind));
    for (const kind of [
      "match",
      "book",
      "tick_size",
      "split",
      "merge",
      "convert",
      "redeem",
      "transfer",
      "market_resolved",
      "post",
    ]) {
      expect(kinds, kind).toContain(kind);
    }
    const matches = world.polymarket.matches;
    expect(new Set(matches.flatMap((m) => m.makers.map((leg) => leg.kind)))).toEqual(
      new Set(["complementary", "mint", "merge"]),
    );
    expect(new Set(matches.map((m) => m.exchange_version))).toEqual(new Set(["V1", "V2"]));
    expect(new Set(matches.map((m) => m.market.neg_risk))).toEqual(new Set([true, false]));
  });

  test("cover wallets of every style", () => {
    expect(new Set(world.walletTruth().map(({ style }) => style))).toEqual(
      new Set(["informed", "noise", "maker", "farmer", "sybil", "wash"]),
    );
  });

  test("match the chain: one OrderFilled per leg, one OrdersMatched per match, at unique positions in order", () => {
    const last = world.chain.head() + 10;
    const settled = world.polymarket.matches.filter((m) => m.block_number <= world.chain.head());
    const logs = world.chain.logs(world.chain.first_block, last);
    const legs = settled.reduce((sum, m) => sum + 1 + m.makers.length, 0);
    expect(logs.filter((log) => log.event === "OrderFilled")).toHaveLength(legs);
    expect(logs.filter((log) => log.event === "OrdersMatched")).toHaveLength(settled.length);
    const wrong = logs.filter((log, i) => {
      const before = logs[i - 1];
      if (before === undefined || log.block_number > before.block_number) return log.log_index !== 0;
      return log.block_number < before.block_number || log.log_index !== before.log_index + 1;
    });
    expect(wrong.length).toBe(0);
    const block = world.chain.block(world.chain.head());
    expect(block?.timestamp).toBeLessThanOrEqual(world.reached() / 1000);
    expect(world.chain.block(world.chain.head() + 1)).toBeUndefined();
  });
});
