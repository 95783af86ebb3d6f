import type { Amount } from "./folded-wallet.ts";

const MICRO = 1_000_000;

type Bought = {
  /** Number of buy fills. */
  readonly buys: number;
  readonly bought: Amount;
  /** Sum of the squared deviations of their notionals, in USD, from the mean. */
  readonly boughtSpread: number;
};

/**
 * The spread of two groups of buy fills together. Unlike the difference of a sum of squares and a squared sum, it loses
 * no digits when large fills differ little.
 */
export function joinedSpread(one: Bought, other: Bought): number {
  const within = one.boughtSpread + other.boughtSpread;
  if (one.buys === 0 || other.buys === 0) return within;
  const gap = (Number(one.bought) / one.buys - Number(other.bought) / other.buys) / MICRO;
  return within + gap ** 2 * ((one.buys * other.buys) / (one.buys + other.buys));
}

/** Sum of the squared notionals. */
export const boughtSquared = ({ buys, bought, boughtSpread }: Bought): number =>
  buys === 0 ? 0 : boughtSpread + (Number(bought) / MICRO) ** 2 / buys;
