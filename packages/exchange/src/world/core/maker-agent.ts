import type { CoreMarket } from "./core-market.ts";
import { isBid, type Order } from "./ladder.ts";
import type { Rng } from "./rng.ts";

/** Levels that a maker quotes on each side. */
const LEVELS = 4;

/** Prices a maker wants on one side, best first; on the market's grid and never crossing the other side. */
function wanted(market: CoreMarket, fair: number, half: number, sign: 1 | -1): number[] {
  const tick = market.tick;
  const other = (sign === -1 ? market.asks : market.bids).best();
  const step = Math.max(tick, Math.round(half / 2 / tick) * tick);
  let price = fair + sign * half;
  price = sign === -1 ? Math.floor(price / tick) * tick : Math.ceil(price / tick) * tick;
  if (other !== undefined) {
    const edge = other.price + sign * tick;
    price =
      sign === -1 ? Math.min(price, Math.floor(edge / tick) * tick) : Math.max(price, Math.ceil(edge / tick) * tick);
  }
  const prices: number[] = [];
  for (let i = 0; i < LEVELS; i += 1) {
    const at = price + sign * i * step;
    if (at >= tick && at <= 10_000 - tick) prices.push(at);
  }
  return prices;
}

function quote(
  market: CoreMarket,
  at: number,
  maker: number,
  bid: boolean,
  price: number,
  size: number,
): Order | undefined {
  const sells = bid ? 1 : 0;
  const holds = market.available(maker, sells) >= size;
  if (holds) return market.place(at, maker, sells, false, price, size, true);
  return market.place(at, maker, bid ? 0 : 1, true, price, size, true);
}

/**
 * Moves the makers' belief toward the truth, within minutes where much is traded, and with an error that lasts for a
 * day, so that prices have next to no trend (docs/decisions.md); better informed agents trade against both.
 */
export function learn(market: CoreMarket, at: number, rng: Rng): void {
  const p = market.latent.p(market.index);
  const span = at - market.quotedAt;
  const { lag, error, error_memory } = market.plan;
  const keeps = market.bias === null ? 0 : Math.exp(-span / error_memory);
  market.bias = (market.bias ?? 0) * keeps + rng.normal() * error * Math.sqrt(1 - keeps * keeps);
  const x = Math.log(p / (1 - p)) + market.bias;
  market.quoted += (x - market.quoted) * (1 - Math.exp(-span / lag));
  market.quotedAt = at;
}

/** Shifts the quotes after a trade: a little in the direction of the taker. */
export function impact(market: CoreMarket, before: number | null): void {
  if (market.last === null || market.last === before) return;
  market.quoted += market.last > 10_000 / (1 + Math.exp(-market.quoted)) ? 0.012 : -0.012;
}

/**
 * Renews one maker's quotes: those still at a wanted price keep their queue position, the others are cancelled. Held
 * shares are sold first, so a maker's asks are SELL YES or BUY NO and its bids BUY YES or SELL NO.
 */
export function requote(market: CoreMarket, at: number, which: number, rng: Rng): void {
  const maker = market.makers[which];
  const mine = market.quotes[which];
  if (maker === undefined || mine === undefined) return;
  const position = market.position(maker);
  const p = 1 / (1 + Math.exp(-market.quoted));
  const lean = Math.max(-3, Math.min(3, (position.yes - position.no) / (market.plan.depth * 600)));
  const half = Math.max(market.tick / 2, market.plan.spread * (0.4 + 2.4 * p * (1 - p)) * (which === 0 ? 1 : 1.5));
  const fair = p * 10_000 - (lean * half) / 3;
  const keeps: Order[] = [];
  const bids = wanted(market, fair, half, -1);
  const asks = wanted(market, fair, half, 1);
  for (const order of mine) {
    if (order.left === 0) continue;
    const prices = isBid(order) ? bids : asks;
    const place = prices.indexOf(order.yes);
    if (place < 0 || order.left < 500) market.cancel(order);
    else {
      keeps.push(order);
      prices.splice(place, 1);
    }
  }
  const place = (prices: readonly number[], bid: boolean): void => {
    for (const price of prices) {
      const size = Math.max(500, Math.round(market.plan.depth * Math.exp(rng.normal() * 0.7)) * 100);
      const order = quote(market, at, maker, bid, price, size);
      if (order !== undefined && order.left > 0) keeps.push(order);
    }
  };
  place(bids, true);
  place(asks, false);
  market.quotes[which] = keeps;
}
