import { existsSync } from "node:fs";
import { join } from "node:path";
import { clobBooks } from "./clob-books.ts";
import { clobPages } from "./clob-pages.ts";
import { dataTrades } from "./data-trades.ts";
import { dataV2 } from "./data-v2.ts";
import { gammaEvents } from "./gamma-events.ts";
import { gammaMarkets } from "./gamma-markets.ts";
import { kalshiCandles } from "./kalshi-candles.ts";
import { kalshiFixtures } from "./kalshi-fixtures.ts";
import { polygonLogs } from "./polygon-logs.ts";
import type { Recording } from "./recording.ts";
import { walletTrades } from "./wallet-trades.ts";

/**
 * The recordings of a folder laid out as `shared/recorded`; files are read at the first request for them. Throws when the
 * folder is not there or is something else.
 */
export function openRecordings(dir: string): Recording[] {
  for (const part of ["polymarket", "kalshi"]) {
    if (!existsSync(join(dir, part))) throw new Error(`no recordings in ${dir}: ${part}/ is missing`);
  }
  const kalshi = [kalshiFixtures, kalshiCandles];
  const polymarket = [gammaMarkets, gammaEvents, clobBooks, clobPages, walletTrades, dataTrades, dataV2, polygonLogs];
  const openers = [...kalshi, ...polymarket];
  return openers.map((open) => open(dir));
}
