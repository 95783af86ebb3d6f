import { toMicro } from "../exact/decimals.ts";
import type { GammaMarket } from "./gamma-market-wire.ts";

/** The payout of outcome 0 per share, in millionths, and the outcome that pays 1; null while unresolved. */
export type Resolution = { readonly payoutMicro: bigint | null; readonly winner: 0 | 1 | null };

const UNRESOLVED: Resolution = { payoutMicro: null, winner: null };
const CERTAIN_MICRO = 990_000n;
const HALF_MICRO = 500_000n;
const ONE_MICRO = 1_000_000n;
const OPEN_STATUSES = new Set(["proposed", "challenged", "disputed", "requested", "reproposed"]);

/**
 * How a market ended (reference/polymarket.md §9.10): closed, with one price above 0.99 (AMM-era markets end at
 * 0.9999993), or at exactly one half each and marked resolved. A price above 1 is the oracle's "69", not set. While the
 * oracle's answer is proposed or disputed a closed market is not resolved, whatever its prices.
 */
export function resolution(market: GammaMarket): Resolution {
  const prices = market.outcomePrices;
  if (market.closed !== true || prices?.length !== 2) return UNRESOLVED;
  const status = market.umaResolutionStatus?.toLowerCase();
  if (status !== undefined && OPEN_STATUSES.has(status)) return UNRESOLVED;
  const [first, second] = [toMicro(prices[0] ?? "0"), toMicro(prices[1] ?? "0")];
  if (first > ONE_MICRO || second > ONE_MICRO) return UNRESOLVED;
  if (first > CERTAIN_MICRO && second < HALF_MICRO) return { payoutMicro: ONE_MICRO, winner: 0 };
  if (second > CERTAIN_MICRO && first < HALF_MICRO) return { payoutMicro: 0n, winner: 1 };
  const isSaidResolved = status === "resolved" || status === "settled" || market.automaticallyResolved === true;
  if (first === HALF_MICRO && second === HALF_MICRO && isSaidResolved) return { payoutMicro: HALF_MICRO, winner: null };
  return UNRESOLVED;
}
