import type { CoreMarket } from "./core-market.ts";
import type { Order } from "./ladder.ts";
import { type Arena, type Direction, stake, take, topUp, tradeOnView } from "./taker-agent.ts";

/** Something an agent will do in a few seconds. */
export interface Intent {
  at: number;
  act: (at: number) => void;
}

/** One wallet of a sybil ring takes a view; most of the others do the same thing seconds later, with about the same size. */
export function sybilTrade(arena: Arena, market: CoreMarket, at: number, ring: readonly number[]): Intent[] {
  const { rng } = arena;
  const leader = ring[rng.below(ring.length)] as number;
  const direction = tradeOnView(arena, market, at, leader, 50);
  if (direction === 0) return [];
  const usd = stake(arena, leader, 1);
  const intents: Intent[] = [];
  let later = at;
  for (const wallet of ring) {
    if (wallet === leader || rng.chance(0.25)) continue;
    later += 400 + rng.below(6000);
    const part = usd * rng.between(0.93, 1.07);
    intents.push({ at: later, act: (now) => follow(arena, market, now, wallet, direction, part) });
  }
  return intents;
}

function follow(arena: Arena, market: CoreMarket, at: number, wallet: number, direction: Direction, usd: number): void {
  if (!market.open) return;
  take(arena, market, at, wallet, direction, usd, 0);
  market.flush(at, true);
}

/** One wallet of a wash ring offers inside the spread, another takes just that a few seconds later. */
export function washTrade(arena: Arena, market: CoreMarket, at: number, ring: readonly number[]): Intent[] {
  const { rng } = arena;
  const bid = market.bids.best()?.price;
  const ask = market.asks.best()?.price;
  if (bid === undefined || ask === undefined || ask - bid < 2 * market.tick) return [];
  const first = rng.below(ring.length);
  const a = ring[first] as number;
  const b = ring[(first + 1 + rng.below(ring.length - 1)) % ring.length] as number;
  const yes = Math.floor((bid + ask) / 2 / market.tick) * market.tick;
  if (yes <= bid || yes >= ask) return [];
  topUp(arena, a);
  topUp(arena, b);
  const held = market.available(a, 0);
  const wish = Math.round(Math.min(20_000, (stake(arena, a, 2) / (yes * 100)) | 0)) * 100;
  const sells = held >= 500;
  const order = market.place(at, a, 0, !sells, yes, sells ? held : Math.max(500, wish), true);
  if (order === undefined || order.left === 0) return [];
  return [{ at: at + 500 + rng.below(8000), act: (now) => finish(market, now, b, order) }];
}

function finish(market: CoreMarket, at: number, wallet: number, order: Order): void {
  if (order.left === 0) return;
  if (market.open) {
    const size = order.left;
    if (!order.buy) market.place(at, wallet, 0, true, order.yes, size, false);
    else if (market.available(wallet, 0) >= size) market.place(at, wallet, 0, false, order.yes, size, false);
    else market.place(at, wallet, 1, true, order.yes, size, false);
  }
  market.cancel(order);
  market.flush(at, true);
}
