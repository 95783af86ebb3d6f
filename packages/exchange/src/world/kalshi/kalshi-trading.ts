import type { Bus } from "../bus.ts";
import type { KalshiTrade } from "../kalshi-contract.ts";
import { below, floorToGrid, type KalshiSide } from "./kalshi-book.ts";
import { type KalshiView, toUuid } from "./kalshi-view.ts";
import { HASH_KIND, mixHex } from "../core/mix-hash.ts";
import type { Rng } from "../core/rng.ts";
import type { TruthCounts } from "../world.ts";

/** Dependencies of Kalshi's trading. */
export interface KalshiDesk {
  seed: number;
  rng: Rng;
  bus: Bus;
  counts: TruthCounts;
  /** Receives every trade and may keep it. */
  keep: (trade: KalshiTrade) => void;
}

const LEVELS = 5;

/** Changes one level of a side and reports it. */
function change(
  desk: KalshiDesk,
  market: KalshiView,
  at: number,
  side: "yes" | "no",
  price: number,
  delta: number,
): void {
  if (delta === 0) return;
  market[side].change(price, delta);
  desk.counts.kalshi_book_changes += 1;
  const seq = desk.bus.next();
  if (!desk.bus.hasListeners) return;
  desk.bus.emit({ kind: "kalshi_book", seq, ms: at, market, side, price_e4: price, delta_cc: delta });
}

function sizeOf(desk: KalshiDesk, market: KalshiView): number {
  const contracts = 120 * Math.exp(desk.rng.normal() * 0.9);
  return Math.max(1, Math.round(market.plan.fractional ? contracts * 100 : Math.ceil(contracts) * 100));
}

/** Quotes one side around a fair price: adds missing levels, removes stale ones, resizes some. */
function quoteSide(desk: KalshiDesk, market: KalshiView, at: number, side: "yes" | "no", fair: number): void {
  const own = market[side];
  const other = market[side === "yes" ? "no" : "yes"].best();
  const highest = other === undefined ? 9990 : below(market.price_ranges, 10_000 - other.price_e4);
  let price = Math.min(floorToGrid(market.price_ranges, Math.max(0, fair)), highest);
  const wanted: number[] = [];
  for (let i = 0; i < LEVELS && price > 0; i += 1) {
    wanted.push(price);
    price = below(market.price_ranges, price);
  }
  for (const level of own.levels.slice()) {
    if (wanted.includes(level.price_e4)) continue;
    if (level.price_e4 > (wanted[0] ?? 0) || desk.rng.chance(0.5)) {
      change(desk, market, at, side, level.price_e4, -level.size_cc);
    }
  }
  for (const level of wanted) {
    const rests = own.sizeAt(level);
    if (rests === 0) change(desk, market, at, side, level, sizeOf(desk, market));
    else if (desk.rng.chance(0.15)) change(desk, market, at, side, level, sizeOf(desk, market) - rests);
  }
}

/** Makers see the truth through a persistent error and renew both sides. */
export function kalshiQuote(desk: KalshiDesk, market: KalshiView, at: number): void {
  const { rng } = desk;
  market.bias = market.bias * 0.95 + rng.normal() * 0.06;
  const p = market.latent.p(market.index);
  const fair = 10_000 / (1 + Math.exp(-(Math.log(p / (1 - p)) + market.bias)));
  const half = 30 + 240 * p * (1 - p);
  // Update the side that has to move away first, so that the other has room.
  const sides: ["yes" | "no", number][] = [
    ["yes", fair - half],
    ["no", 10_000 - fair - half],
  ];
  const best = market.yes.best()?.price_e4 ?? 0;
  if (best <= fair - half) sides.reverse();
  for (const [side, price] of sides) quoteSide(desk, market, at, side, price);
  market.noteQuote(at);
}

function record(
  desk: KalshiDesk,
  market: KalshiView,
  at: number,
  taker: "yes" | "no",
  price: number,
  count: number,
  block: boolean,
): void {
  const { rng, bus } = desk;
  const number = desk.counts.kalshi_trades;
  const trade: KalshiTrade = {
    kind: "kalshi_trade",
    seq: bus.next(),
    ms: at,
    trade_id: toUuid(mixHex(desk.seed, HASH_KIND.trade, number, 16)),
    market,
    yes_price_e4: price,
    count_cc: count,
    taker_side: taker,
    is_block_trade: block,
  };
  const dice = rng.unit();
  market.add(trade, dice < 0.5 ? count : dice < 0.8 ? 0 : -count);
  desk.keep(trade);
  desk.counts.kalshi_trades += 1;
  bus.emit(trade);
}

function sweep(desk: KalshiDesk, market: KalshiView, at: number, taker: "yes" | "no", size: number): void {
  const against: "yes" | "no" = taker === "yes" ? "no" : "yes";
  const side: KalshiSide = market[against];
  let left = size;
  for (let i = 0; i < 3 && left > 0; i += 1) {
    const level = side.best();
    if (level === undefined) return;
    const price = level.price_e4;
    const count = Math.min(left, level.size_cc);
    left -= count;
    change(desk, market, at, against, price, -count);
    record(desk, market, at, taker, taker === "yes" ? 10_000 - price : price, count, false);
  }
}

/** One taker: sees the truth with some error, and crosses. Rarely a block trade at the midpoint instead. */
export function kalshiTrade(desk: KalshiDesk, market: KalshiView, at: number): void {
  const { rng } = desk;
  const yesBid = market.yes.best()?.price_e4;
  const noBid = market.no.best()?.price_e4;
  if (yesBid === undefined || noBid === undefined) return;
  const size = Math.max(1, Math.round(sizeOf(desk, market) / 4));
  const whole = market.plan.fractional && rng.chance(0.7) ? size : Math.max(100, Math.round(size / 100) * 100);
  if (rng.chance(0.004)) {
    const middle = floorToGrid(market.price_ranges, (yesBid + 10_000 - noBid) / 2);
    record(desk, market, at, rng.chance(0.5) ? "yes" : "no", middle, whole * 50, true);
    return;
  }
  const p = market.latent.p(market.index);
  const view = 10_000 / (1 + Math.exp(-(Math.log(p / (1 - p)) + rng.normal() * 0.8)));
  sweep(desk, market, at, view > (yesBid + 10_000 - noBid) / 2 ? "yes" : "no", whole);
  market.noteQuote(at);
}
