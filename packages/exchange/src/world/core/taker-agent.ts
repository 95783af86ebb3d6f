import type { CoreMarket } from "./core-market.ts";
import type { Crowd } from "./crowd.ts";
import type { Purses } from "./purses.ts";
import type { Rng } from "./rng.ts";

/** What an agent needs in order to trade. */
export interface Arena {
  crowd: Crowd;
  purses: Purses;
  rng: Rng;
}

/** +1: wants YES exposure, −1: NO. */
export type Direction = 1 | -1;

/** Adds outside money to a nearly empty purse, as people do. */
export function topUp(arena: Arena, wallet: number): void {
  const bankroll = arena.crowd.bankrolls[wallet] as number;
  if (arena.purses.free(wallet) < bankroll * 0.08) arena.purses.deposit(wallet, bankroll);
}

/**
 * Sends a taker order for about `usd_micro`, `reach` beyond the best price; sells any shares of the other outcome
 * first. Returns the shares (centi) ordered, 0 when the other side is empty.
 */
export function take(
  arena: Arena,
  market: CoreMarket,
  at: number,
  wallet: number,
  direction: Direction,
  usd_micro: number,
  reach: number,
): number {
  const best = (direction === 1 ? market.asks : market.bids).best();
  if (best === undefined) return 0;
  const limit = best.price + direction * reach;
  const own = direction === 1 ? best.price : 10_000 - best.price;
  const shares = Math.max(5, Math.min(50_000, usd_micro / (own * 100)));
  const size = arena.rng.chance(0.5) ? Math.round(shares) * 100 : Math.round(shares * 100);
  const grid = Math.max(market.tick, Math.min(10_000 - market.tick, Math.round(limit / market.tick) * market.tick));
  const held = market.available(wallet, direction === 1 ? 1 : 0);
  if (held >= 500) market.place(at, wallet, direction === 1 ? 1 : 0, false, grid, Math.min(size, held), false);
  else {
    topUp(arena, wallet);
    market.place(at, wallet, direction === 1 ? 0 : 1, true, grid, size, false);
  }
  return size;
}

/** Size of a trade, micro USD: a share of the bankroll, often rounded. */
export function stake(arena: Arena, wallet: number, boldness: number): number {
  const { rng } = arena;
  const usd = (arena.crowd.bankrolls[wallet] as number) * 0.008 * boldness * Math.exp(rng.normal() * 0.9);
  return Math.max(3_000_000, Math.min(25_000_000_000, usd));
}

/**
 * An informed trader: sees the true logit blurred by (1 − skill), and trades when the price is off by more than the
 * cost. Returns the direction taken, or 0.
 */
export function tradeOnView(
  arena: Arena,
  market: CoreMarket,
  at: number,
  wallet: number,
  least: number,
): Direction | 0 {
  const { rng } = arena;
  const p = market.latent.p(market.index);
  const skill = arena.crowd.skills[wallet] as number;
  const x = Math.log(p / (1 - p)) + (1 - skill) * 2.4 * rng.normal();
  const view = 10_000 / (1 + Math.exp(-x));
  const ask = market.asks.best()?.price ?? 10_000;
  const bid = market.bids.best()?.price ?? 0;
  const up = view - ask;
  const down = bid - view;
  const edge = Math.max(up, down);
  if (edge < least) return 0;
  const direction: Direction = up > down ? 1 : -1;
  const boldness = Math.min(4, 0.5 + edge / 400);
  const reach = rng.chance(0.6) ? 0 : Math.min(edge / 2, market.tick * 3);
  take(arena, market, at, wallet, direction, stake(arena, wallet, boldness), reach);
  return direction;
}

/** Rests an order inside the spread or at the best price; beyond 24 such orders the oldest is cancelled. */
export function restNear(arena: Arena, market: CoreMarket, at: number, wallet: number, usd_micro: number): void {
  const { rng } = arena;
  const bid = market.bids.best()?.price;
  const ask = market.asks.best()?.price;
  if (bid === undefined || ask === undefined) return;
  topUp(arena, wallet);
  const buys = rng.chance(0.5);
  const room = Math.max(0, Math.round((ask - bid) / market.tick) - 1);
  const inside = rng.below(Math.min(room, 3) + 1) - (rng.chance(0.3) ? rng.below(4) : 0);
  const raw = buys ? bid + inside * market.tick : ask - inside * market.tick;
  const yes = buys ? Math.floor(raw / market.tick) * market.tick : Math.ceil(raw / market.tick) * market.tick;
  if (buys ? yes >= ask : yes <= bid) return;
  const own = buys ? yes : 10_000 - yes;
  const size = Math.max(500, Math.round(Math.min(20_000, usd_micro / (Math.max(own, 10) * 100))) * 100);
  const sells = market.available(wallet, buys ? 1 : 0) >= size;
  const outcome = buys === sells ? 1 : 0;
  const order = market.place(at, wallet, outcome, !sells, yes, size, true);
  if (order !== undefined && order.left > 0) market.loose.push(order);
  while (market.loose.length > 24) {
    const oldest = market.loose.shift();
    if (oldest !== undefined) market.cancel(oldest);
  }
}
