import { addMicros } from "../../definition/micros.ts";
import type { MadeValue } from "../../definition/served-buckets.ts";
import type { Amount } from "../wallet/folded-wallet.ts";
import { figure, ratio, realOf, sizeOf } from "./amounts.ts";
import type { Ended, Market } from "./market-sums.ts";
import { meanOf, sampleDeviation, sumOf } from "./statistics.ts";

/** Distribution of a wallet's money and profit over markets. */
export type Spread = {
  readonly traded: number;
  /** Standard deviation over the mean of the purchases per market; null with fewer than two. */
  readonly variation: number | null;
  /** The largest profit's share of the total, both in absolute value; null if no market has any. */
  readonly concentration: number | null;
  readonly fields: Readonly<Record<string, MadeValue>>;
};

/** `bought` is the notional of all buy fills. */
export function spreadOf(markets: readonly Market[], ended: Ended, bought: Amount): Spread {
  const traded = markets.filter(({ buys, sells }) => buys + sells > 0).length;
  const stakes = markets.filter((market) => market.bought > 0).map((market) => realOf(market.bought));
  const mean = meanOf(stakes);
  const deviation = stakes.length < 2 ? null : sampleDeviation(stakes);
  const variation = deviation === null ? null : deviation / mean;
  const dominant = dominantOf(markets);
  const moved = markets.reduce<Amount>((sum, { pnl }) => addMicros(sum, sizeOf(pnl)), 0);
  // Of whole millionths, so that a share of exactly the flag's limit is not above it.
  const concentration = dominant === undefined ? null : Number(sizeOf(dominant.pnl)) / Number(moved);
  const profits = markets.map(({ pnl }) => pnl);
  return {
    traded,
    variation,
    concentration,
    fields: {
      markets_traded: traded,
      num_markets_traded: traded,
      avg_market_exposure: figure(ratio(realOf(bought), traded)),
      stddev_position_size: figure(deviation),
      coefficient_of_variation: figure(variation),
      position_size_consistency: figure(deviation === null ? null : consistency(deviation, mean)),
      max_position_pct: figure(stakes.length === 0 ? null : 100 * (largestOf(stakes) / sumOf(stakes))),
      dominant_market_id: dominant?.condition ?? null,
      dominant_market_pnl: dominant?.pnl ?? null,
      best_market_pnl: mostOf(profits, (one, other) => one > other),
      worst_market_pnl: mostOf(profits, (one, other) => one < other),
      market_concentration_ratio: figure(concentration),
      profit_factor: figure(ratio(realOf(ended.gained), realOf(ended.lost)) ?? 0),
    },
  };
}

const consistency = (deviation: number, mean: number): number => (deviation > mean ? 0 : 1 - deviation / mean);

const largestOf = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);

function mostOf(amounts: readonly Amount[], isMore: (one: Amount, other: Amount) => boolean): Amount | null {
  let most: Amount | null = null;
  for (const amount of amounts) if (most === null || isMore(amount, most)) most = amount;
  return most;
}

/** The market with the largest profit or loss; of equal ones the one with the smallest id. */
function dominantOf(markets: readonly Market[]): Market | undefined {
  let dominant: Market | undefined;
  for (const market of markets) {
    if (market.pnl === 0 || market.pnl === 0n) continue;
    if (dominant === undefined || comesFirst(market, dominant)) dominant = market;
  }
  return dominant;
}

function comesFirst(one: Market, other: Market): boolean {
  const [size, least] = [sizeOf(one.pnl), sizeOf(other.pnl)];
  return size > least || (BigInt(size) === BigInt(least) && one.condition < other.condition);
}
