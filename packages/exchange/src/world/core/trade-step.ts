import type { CoreMarket } from "./core-market.ts";
import { pickActive } from "./crowd.ts";
import { impact, learn, requote } from "./maker-agent.ts";
import { type Arena, restNear, stake, take, topUp, tradeOnView, type Direction } from "./taker-agent.ts";
import type { Order } from "./ladder.ts";

/** Makes a wallet of the crowd act in a market. */
function act(arena: Arena, market: CoreMarket, at: number, siblings: CoreMarket[]): Intent[] {
  const { rng, crowd } = arena;
  const dice = rng.unit();
  if (dice < 0.18) exit(arena, market, at);
  else if (dice < 0.54) {
    const wallet = pickActive(crowd.noise, rng);
    remember(market, wallet);
    if (rng.chance(0.7)) tradeOnView(arena, market, at, wallet, -100);
    else take(arena, market, at, wallet, rng.chance(0.55) ? 1 : -1, stake(arena, wallet, 1), 0);
  } else if (dice < 0.76) {
    const wallet = pickActive(crowd.informed, rng);
    remember(market, wallet);
    tradeOnView(arena, market, at, wallet, market.plan.fee_rate > 0 ? 150 : 80);
  } else if (dice < 0.88) {
    const farmer = rng.chance(0.5);
    const wallet = pickActive(farmer ? crowd.farmers : crowd.noise, rng);
    restNear(arena, market, at, wallet, stake(arena, wallet, farmer ? 1 : 2));
    if (farmer && rng.chance(0.3))
      take(arena, market, at, pickActive(crowd.farmers, rng), rng.chance(0.5) ? 1 : -1, 3_000_000, 0);
  } else if (dice < 0.92 && crowd.sybilRings.length > 0) {
    return sybilTrade(arena, market, at, rng.pick(crowd.sybilRings));
  } else if (dice < 0.95 && crowd.washRings.length > 0) {
    return washTrade(arena, market, at, rng.pick(crowd.washRings));
  } else if (dice < 0.975) setOperation(arena, market, at);
  else if (siblings.length > 2) convertSome(arena, siblings, at);
  return [];
}

function remember(market: CoreMarket, wallet: number): void {
  if (market.recent.length < 60) market.recent.push(wallet);
  else market.recent[wallet % 60] = wallet;
}

/** A recent trader of this market exits, fully or half; an informed one only at a favourable price. */
function exit(arena: Arena, market: CoreMarket, at: number): void {
  const { rng, crowd } = arena;
  if (market.recent.length === 0) return;
  const wallet = rng.pick(market.recent);
  const yes = market.available(wallet, 0);
  const no = market.available(wallet, 1);
  const outcome = yes >= no ? 0 : 1;
  const held = Math.max(yes, no);
  const best = (outcome === 0 ? market.bids : market.asks).best();
  if (held < 500 || best === undefined) return;
  const worth = outcome === 0 ? market.latent.p(market.index) : 1 - market.latent.p(market.index);
  const price = (outcome === 0 ? best.price : 10_000 - best.price) / 10_000;
  if (worth - price > 0.02 && rng.chance(crowd.skills[wallet] as number)) return;
  market.place(
    at,
    wallet,
    outcome,
    false,
    best.price,
    rng.chance(0.6) ? held : Math.max(500, Math.floor(held / 2)),
    false,
  );
}

/** Farmers split and merge; makers merge accumulated sets. */
function setOperation(arena: Arena, market: CoreMarket, at: number): void {
  const { rng, crowd } = arena;
  const maker = market.makers[rng.below(market.makers.length)];
  if (maker !== undefined && rng.chance(0.4)) return market.mergeAll(at, maker, 1000);
  const wallet = pickActive(crowd.farmers, rng);
  if (market.available(wallet, 0) > 0 && market.available(wallet, 1) > 0) return market.mergeAll(at, wallet, 1);
  topUp(arena, wallet);
  market.split(at, wallet, Math.round(stake(arena, wallet, 1) / 1_000_000) * 100);
}

/**
 * One step of a market: time advances, a maker renews its quotes, and possibly a wallet trades. Returns the follow-ups.
 */
export function tradeStep(
  arena: Arena,
  market: CoreMarket,
  at: number,
  trades: boolean,
  siblings: CoreMarket[],
): Intent[] {
  market.latent.advance(at);
  learn(market, at, arena.rng);
  for (let which = 0; which < market.makers.length; which += 1) {
    if (which === 0 || arena.rng.chance(0.5)) requote(market, at, which, arena.rng);
  }
  market.flush(at, false);
  if (!trades) return [];
  const before = market.last;
  const intents = act(arena, market, at, siblings);
  impact(market, before);
  market.flush(at, true);
  return intents;
}

/**
 * A holder of NO in two or more questions of a neg-risk event converts: NO of those questions in, YES of all others and
 * size × (given − 1) USD out.
 */
function convertSome(arena: Arena, markets: CoreMarket[], at: number): void {
  const first = markets[arena.rng.below(markets.length)] as CoreMarket;
  let wallet = -1;
  let looked = 0;
  for (const holder of first.positions.keys()) {
    looked += 1;
    if (looked > 40) break;
    if (first.available(holder, 1) < 1000) continue;
    if (markets.some((m) => m !== first && m.available(holder, 1) >= 1000)) {
      wallet = holder;
      break;
    }
  }
  if (wallet < 0 || !markets.every((m) => m.open)) return;
  const given = markets.map((m) => m.available(wallet, 1) >= 1000);
  const amounts = markets.filter((_, i) => given[i]).map((m) => m.available(wallet, 1));
  const size = Math.min(...amounts);
  let count = 0;
  for (const [i, market] of markets.entries()) {
    const position = market.position(wallet);
    if (given[i] === true) {
      count += 1;
      position.no -= size;
      market.noSupply -= size;
    } else {
      position.yes += size;
      market.yesSupply += size;
    }
  }
  arena.purses.add(wallet, size * 10_000 * (count - 1));
  first.publishConvert(markets, at, wallet, given, size);
}

/** An action that an agent takes a few seconds later. */
interface Intent {
  at: number;
  act: (at: number) => void;
}

/** One wallet of a sybil ring takes a view; most of the others do the same seconds later, with about the same size. */
function sybilTrade(arena: Arena, market: CoreMarket, at: number, ring: readonly number[]): Intent[] {
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

/** One wallet of a wash ring offers inside the spread, another takes exactly that a few seconds later. */
function washTrade(arena: Arena, market: CoreMarket, at: number, ring: readonly number[]): Intent[] {
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
