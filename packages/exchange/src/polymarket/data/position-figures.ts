import type { Holding } from "../../world/contract.ts";
import { marketPrice } from "../market-price.ts";

/** The money of one position, USD, four decimals as the service rounds it. */
export interface PositionFigures {
  size: number;
  avg_price: number;
  cost: number;
  price: number;
  value: number;
  realized: number;
  unrealized: number;
  total: number;
  percent: number;
  percent_realized: number;
  bought: number;
  fees: number;
}

/** Works out a position from the average-cost account of a holding. Fees are not part of cost or PnL. */
export function positionFigures(holding: Holding): PositionFigures {
  const price = marketPrice(holding.market, holding.outcome);
  const size = holding.shares_micro / 1_000_000;
  const cost = holding.cost_micro / 1_000_000;
  const realized = holding.realized_pnl_micro / 1_000_000;
  const spent = holding.bought_usd_micro / 1_000_000;
  const value = size * price;
  const average = holding.shares_micro === 0 ? averageBought(holding) : holding.cost_micro / holding.shares_micro;
  return {
    size,
    avg_price: fourDigits(average),
    cost: fourDigits(cost),
    price: fourDigits(price),
    value: fourDigits(value),
    realized: fourDigits(realized),
    unrealized: fourDigits(value - cost),
    total: fourDigits(realized + value - cost),
    percent: cost === 0 ? 0 : fourDigits(((value - cost) / cost) * 100),
    percent_realized: spent === 0 ? 0 : fourDigits((realized / spent) * 100),
    bought: holding.bought_shares_micro / 1_000_000,
    fees: holding.fees_micro / 1_000_000,
  };
}

/** Rounded to four decimals. */
function fourDigits(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function averageBought(holding: Holding): number {
  return holding.bought_shares_micro === 0 ? 0 : holding.bought_usd_micro / holding.bought_shares_micro;
}
