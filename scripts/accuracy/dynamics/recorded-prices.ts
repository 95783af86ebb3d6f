import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { fileURLToPath } from "node:url";
import type { PricesOf } from "./tell-returns.ts";

const FILE = fileURLToPath(new URL("../../../../shared/recorded/kalshi/nba_1m_candles_all.csv.gz", import.meta.url));
const MINUTE = 60;
const HOUR = 3600;
/** A game is over about when its market trades last; what is decided is left out. */
const GAME = { from: 150 * MINUTE, to: 15 * MINUTE };
const DAY_BEFORE = { from: 27 * HOUR, to: 3 * HOUR };
/** Minutes with a trade among those of the day before. */
const BUSY = 600;
const LEAST_DECIDED = 0.1;

/** One-minute closes of recorded NBA games on Kalshi: while they are played, and on the day before where much is traded. */
export async function recordedPrices(): Promise<readonly PricesOf[]> {
  if (!existsSync(FILE)) throw new Error(`${FILE} is absent: the recorded prices are needed to compare with`);
  const games: number[][] = [];
  const before: number[][] = [];
  for (const closes of (await readCloses()).values()) {
    const game = between(closes, GAME);
    if (game.length > 100 && Math.min(...game) > LEAST_DECIDED) games.push(game);
    const end = lastOf(closes);
    const traded = [...closes.keys()].filter((at) => at > end - DAY_BEFORE.from && at < end - DAY_BEFORE.to);
    if (traded.length > BUSY) before.push(between(closes, DAY_BEFORE));
  }
  return [
    { name: "recorded: Kalshi NBA, in play", series: games },
    { name: "recorded: Kalshi NBA, day before", series: before },
  ];
}

/** Ticker → second → close. */
async function readCloses(): Promise<Map<string, Map<number, number>>> {
  const found = new Map<string, Map<number, number>>();
  for await (const line of createInterface({ input: createReadStream(FILE).pipe(createGunzip()) })) {
    const [, ticker = "", second, , , , close = ""] = line.split(",");
    if (close === "" || close === "close_c") continue;
    const closes = found.get(ticker) ?? new Map<number, number>();
    closes.set(Number(second), Number(close) / 100);
    found.set(ticker, closes);
  }
  return found;
}

const lastOf = (closes: ReadonlyMap<number, number>): number =>
  [...closes.keys()].reduce((last, at) => Math.max(last, at), 0);

/** A close for every minute of that time before the last, the last one where nothing was traded. */
function between(closes: ReadonlyMap<number, number>, { from, to }: { from: number; to: number }): number[] {
  const end = lastOf(closes);
  const prices: number[] = [];
  let price: number | undefined;
  for (let at = end - from; at < end - to; at += MINUTE) {
    price = closes.get(at) ?? price;
    if (price !== undefined) prices.push(price);
  }
  return prices;
}
