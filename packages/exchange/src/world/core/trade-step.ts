import { convertSome } from "./convert.ts";
import type { CoreMarket } from "./core-market.ts";
import { pickActive } from "./crowd.ts";
import { impact, learn, requote } from "./maker-agent.ts";
import { type Intent, sybilTrade, washTrade } from "./ring-agent.ts";
import { type Arena, restNear, stake, take, topUp, tradeOnView } from "./taker-agent.ts";

/** Somebody in the crowd does something in a market. */
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

/** Somebody who traded here lately gets out, whole or half; who knows better does so only at a price that suits. */
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

/** Farmers split and merge; makers merge the sets that pile up. */
function setOperation(arena: Arena, market: CoreMarket, at: number): void {
  const { rng, crowd } = arena;
  const maker = market.makers[rng.below(market.makers.length)];
  if (maker !== undefined && rng.chance(0.4)) return market.mergeAll(at, maker, 1000);
  const wallet = pickActive(crowd.farmers, rng);
  if (market.available(wallet, 0) > 0 && market.available(wallet, 1) > 0) return market.mergeAll(at, wallet, 1);
  topUp(arena, wallet);
  market.split(at, wallet, Math.round(stake(arena, wallet, 1) / 1_000_000) * 100);
}

/** One moment of a market: time passes, a maker renews its quotes, and perhaps somebody trades. Returns what follows. */
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
