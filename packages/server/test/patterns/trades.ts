import type { InsertRow } from "../../src/definition/table.ts";
import { hex, tokenId } from "../fixtures/sample-rows.ts";

export const START = Date.UTC(2026, 5, 1) / 1000;
export const walletOf = (index: number): string => hex(index, 40);

export type Trade = {
  readonly at: number;
  readonly taker: number;
  readonly maker: number;
  readonly shares?: number;
  readonly price?: number;
  /** Market n has the tokens 2n (outcome 0) and 2n + 1. */
  readonly market?: number;
  readonly outcome?: 0 | 1;
  readonly side?: "BUY" | "SELL";
};

/** The two fills of each match; `first` numbers the transactions. */
export function fillsOf(trades: readonly Trade[], first = 0): InsertRow[] {
  return trades.flatMap(
    ({ at, taker, maker, shares = 10, price = 0.5, market = 0, outcome = 0, side = "BUY" }, index) => {
      const shared = {
        ts: START + at,
        tx_hash: hex(50_000 + first + index),
        token_id: tokenId(2 * market + outcome),
        match_kind: "complementary",
        shares: String(shares),
        usd: (shares * price).toFixed(6),
        fee_usd: "0",
        block_number: 1000 + index,
        source: "chain_v2",
      };
      const other = side === "BUY" ? "SELL" : "BUY";
      return [
        { ...shared, order_hash: hex(2 * (first + index)), wallet: walletOf(taker), side, role: "taker", log_index: 2 },
        {
          ...shared,
          order_hash: hex(2 * (first + index) + 1),
          wallet: walletOf(maker),
          side: other,
          role: "maker",
          log_index: 1,
        },
      ];
    },
  );
}

/** Tokens of the given number of markets. */
export const tokensOf = (markets: number): InsertRow[] =>
  Array.from({ length: 2 * markets }, (_, index) => ({
    token_id: tokenId(index),
    condition_id: hex(700 + (index >> 1)),
    outcome_index: index & 1,
    outcome: index & 1 ? "No" : "Yes",
    slug: `market-${index >> 1}`,
  }));

const DAY = 86_400;

/** A crowd that trades with a maker (wallet 1), each at its own times: wallets 20…39 over ten days. */
export const crowd = (): Trade[] =>
  Array.from({ length: 400 }, (_, index) => ({
    at: (index % 10) * DAY + 3000 + Math.floor(index / 10) * 311,
    taker: 20 + ((Math.floor(index / 10) * 7 + index) % 20),
    maker: 1,
    market: index % 4,
    shares: 5 + (index % 17),
    side: index % 3 === 0 ? "SELL" : "BUY",
  }));

/** Wallets 2, 3 and 4 hand 100 shares around, in both directions, twelve times. */
export const washing = (): Trade[] =>
  Array.from({ length: 12 }, (_, index) => ({
    at: Math.floor(index / 3) * DAY + 20_000 + index * 600,
    taker: 2 + (index % 3),
    maker: 2 + ((index + 1) % 3),
    shares: 100,
    side: index % 2 === 0 ? "BUY" : "SELL",
  }));

/** Wallets 10, 11 and 12 enter the same side 4 s after each other, six times, and once each alone. */
export const echoing = (): Trade[] =>
  Array.from({ length: 21 }, (_, index) => {
    const burst = Math.floor(index / 3);
    const isAlone = burst === 6;
    return {
      at: (burst % 5) * DAY + 50_000 + burst * 900 + (isAlone ? index * 700 : (index % 3) * 4),
      taker: 10 + (index % 3),
      maker: 1,
      market: burst % 3,
      shares: isAlone ? 30 : 40 + (index % 3),
    };
  });

/** Wallet 15 buys 25 times at 0.97; wallet 16 does at 0.90. */
export const sureBuying = (): Trade[] =>
  Array.from({ length: 50 }, (_, index) => ({
    at: (index % 5) * DAY + 70_000 + index * 97,
    taker: 15 + (index & 1),
    maker: 1,
    price: index & 1 ? 0.9 : 0.97,
    market: 2,
  }));
