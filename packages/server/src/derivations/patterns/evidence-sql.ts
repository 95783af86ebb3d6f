import { bind, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { walletPairDays } from "../../tables/wallet-pair-days.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";
import { walletTradeDays } from "../../tables/wallet-trade-days.ts";
import { PATTERN } from "./pattern-constants.ts";

/** Rows from one day to another (days since 1970, both inclusive). */
const within = (from: number, to: number): Sql =>
  sql`day >= toDate(${bind("UInt16", from)}) AND day <= toDate(${bind("UInt16", to)}) AND NOT is_gone`;

/** Column offsets of `habitsSql`, in 32-bit words. */
export const HABIT = {
  wallet: 1,
  fills: 6,
  makerFills: 7,
  entries: 8,
  quoted: 9,
  twoSided: 10,
  sets: 11,
  usd: 12,
  boughtShares: 14,
  boughtUsd: 16,
  sureUsd: 18,
  width: 20,
} as const;

export const habitsSql = (from: number, to: number): Sql =>
  sql`SELECT toUInt32(day), wallet, fills, maker_fills, entries, quoted_markets, two_sided_markets, set_events, usd, bought_shares, bought_usd, sure_usd FROM ${walletTradeDays} FINAL WHERE ${within(from, to)} ORDER BY day`;

/** Column offsets of `pairsSql`, in 32-bit words. */
export const PAIR = { kind: 1, a: 2, b: 7, n: 12, up: 13, usd: 14, expected: 16, width: 18 } as const;

/** Only pairs that met often enough for a tie over all of these days, because most pairs have a single row. */
export const pairsSql = (from: number, to: number): Sql =>
  sql`SELECT toUInt32(day), toUInt32(kind), wallet_a, wallet_b, n, up, usd, expected FROM ${walletPairDays} FINAL WHERE ${within(from, to)} AND (kind, wallet_a, wallet_b) IN (SELECT kind, wallet_a, wallet_b FROM ${walletPairDays} FINAL WHERE ${within(from, to)} GROUP BY kind, wallet_a, wallet_b HAVING sum(n) >= if(kind = 'match', ${bind("UInt32", PATTERN.wash.pairs)}, ${bind("UInt32", PATTERN.sybil.pairs)})) ORDER BY day`;

/** Column offsets of `statesSql`, in 32-bit words. */
export const STATE = { wallet: 1, pattern: 6, isOn: 7, width: 8 } as const;

/** States of wallets on days that are not being rebuilt. */
export const statesSql = (from: number, to: number, days: Bound): Sql =>
  sql`SELECT toUInt32(day), wallet, toUInt32(pattern), toUInt32(score > 0) FROM ${walletPatterns} FINAL WHERE ${within(from, to)} AND NOT has(${days}, day) ORDER BY day`;

/** Number of wallets that traded on each of some days, halved: two rows of evidence are read as fast as one fill. */
export const tradersByDay = (days: Bound): Sql =>
  sql`SELECT toString(day) AS day, toString(intDiv(count(), 2)) AS size FROM ${walletTradeDays} AS t WHERE has(${days}, t.day) GROUP BY t.day`;
