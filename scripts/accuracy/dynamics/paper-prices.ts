import type { WorldSize } from "../accuracy.ts";
import { type JumpMarket, type JumpWorld, makeJumpWorld } from "../jumps/jump-world.ts";
import type { PricesOf } from "./tell-returns.ts";

/** Minutes before the end of trading that are left out, as what is decided is in the recorded ones. */
const LAST = 15;
const LEAST_MINUTES = 150;
const RATES = [
  { name: "a trade a minute or more", least: 1 },
  { name: "0.3 to 1 trades a minute", least: 0.3 },
  { name: "under 0.3 trades a minute", least: 0 },
];

/** Middles of the quotes of a paper world's standing markets, games before they start, by how much is traded. */
export function paperPrices({ seed, days, events = 60, activity = 12 }: WorldSize): readonly PricesOf[] {
  const world = makeJumpWorld(seed, { days, events, activity });
  const middles = middlesOf(world);
  const found = RATES.map(({ name, least }) => ({ name: `seed ${seed}: ${name}`, least, series: [] as number[][] }));
  for (const market of world.markets) {
    const prices = pricesOf(market, middles.get(market.token_ids[0]) ?? new Map<number, number>());
    if (prices.length < LEAST_MINUTES) continue;
    const rate = (world.minutes.matches.get(market.condition_id)?.length ?? 0) / prices.length;
    found.find(({ least }) => rate >= least)?.series.push(prices);
  }
  return found.filter(({ series }) => series.length > 0);
}

/** Token → minute → middle of the last quotes of both sides. */
function middlesOf(world: JumpWorld): Map<string, Map<number, number>> {
  const found = new Map<string, Map<number, number>>();
  for (const { instrument, minute, bid_close, ask_close } of world.minutes.quoteRows()) {
    if (bid_close === null || ask_close === null) continue;
    const middles = found.get(String(instrument)) ?? new Map<number, number>();
    middles.set(Number(minute) / 60, (Number(bid_close) + Number(ask_close)) / 2);
    found.set(String(instrument), middles);
  }
  return found;
}

function pricesOf({ event_start_ms, end_ms }: JumpMarket, middles: ReadonlyMap<number, number>): number[] {
  const minutes = [...middles.keys()];
  const first = minutes.reduce((least, minute) => Math.min(least, minute), Infinity);
  const last = minutes.reduce((most, minute) => Math.max(most, minute), 0);
  const end = Math.min(last, Math.floor(end_ms / 60_000) - LAST);
  const start = event_start_ms === null ? Infinity : Math.floor(event_start_ms / 60_000);
  const prices: number[] = [];
  let price = middles.get(first) ?? 0;
  for (let minute = first; minute < Math.min(end, start); minute++) {
    price = middles.get(minute) ?? price;
    prices.push(price);
  }
  return prices;
}
