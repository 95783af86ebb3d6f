import type { InsertRow } from "../../src/definition/table.ts";

const START = Date.UTC(2026, 5, 1) / 1000;
const micros = (value: number): string => value.toFixed(6);

/** Candles and quotes of some tokens, each in time order. */
export type RandomMinutes = { readonly candles: InsertRow[]; readonly quotes: InsertRow[] };

/** Random minutes per token: dense and sparse, with pauses, one-sided quotes, and prices that reach 0 and 1. */
export function randomMinutes(draw: () => number, tokens: readonly string[], count: number): RandomMinutes {
  const [candles, quotes]: [InsertRow[], InsertRow[]] = [[], []];
  for (const token of tokens) {
    const [isQuoted, isTraded, step, wild] = [draw() < 0.7, draw() < 0.9, draw() * 40, draw() * draw()];
    let [minute, price] = [START + 60 * Math.floor(draw() * 1000), draw()];
    for (let each = 0; each < count; each += 1) {
      minute += 60 * (1 + Math.floor(draw() * draw() * step) + (draw() < 0.01 ? Math.floor(draw() * 20_000) : 0));
      price = Math.min(1, Math.max(0, price + (draw() - 0.5) * (draw() < 0.02 ? wild : 0.02)));
      if (isTraded && (draw() < 0.7 || !isQuoted)) candles.push(candle(draw, token, minute, price));
      if (isQuoted && draw() < 0.7) quotes.push(quote(draw, token, minute, price));
    }
  }
  return { candles, quotes };
}

function candle(draw: () => number, token_id: string, minute: number, at: number): InsertRow {
  const price = micros(Math.round(at * 10_000) / 10_000);
  const [open, high, low, close, price_sum] = [price, price, price, price, price];
  // A few volumes are so large that their millionths are not exact as numbers.
  const volume = draw() < 0.005 ? "20000000000.000001" : micros(draw() < 0.05 ? 0 : draw() * 1000);
  const trade_count = 1 + Math.floor(draw() * 5);
  return { token_id, minute, open, high, low, close, price_sum, volume, volume_usd: "1", trade_count };
}

function quote(draw: () => number, instrument: string, minute: number, at: number): InsertRow {
  const tick = draw() < 0.5 ? 0.01 : 0.001;
  const bid = draw() < 0.05 ? null : micros(Math.max(0, Math.floor(at / tick) * tick - tick));
  const ask = draw() < 0.05 ? null : micros(Math.min(1, Math.floor(at / tick) * tick + tick));
  const bids = { bid_open: bid, bid_high: bid, bid_low: bid, bid_close: bid };
  return { instrument, minute, ...bids, ask_open: ask, ask_high: ask, ask_low: ask, ask_close: ask };
}
