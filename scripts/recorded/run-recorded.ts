import type { House } from "./open-house.ts";
import type { StreamCount } from "./stream-count.ts";
import { clobBooks } from "./streams/clob-books.ts";
import { gammaEvents } from "./streams/gamma-events.ts";
import { gammaMarkets } from "./streams/gamma-markets.ts";
import { kalshiCatalogue } from "./streams/kalshi-catalogue.ts";
import { kalshiTape } from "./streams/kalshi-tape.ts";
import { marketSocket } from "./streams/market-socket.ts";
import { nbaCandles } from "./streams/nba-candles.ts";
import { walletTrades } from "./streams/wallet-trades.ts";

/** Tokens, markets or wallets of the large recordings; all of them where none is given. `streams`: the first so many alone. */
export type Part = {
  readonly tokens?: number;
  readonly candleMarkets?: number;
  readonly wallets?: number;
  readonly streams?: number;
};

/** Runs every recorded stream through its connector into the house's store and asks for it, one after the other. */
export async function* runRecorded(house: House, part: Part = {}): AsyncGenerator<StreamCount, void, void> {
  const streams: (() => Promise<readonly StreamCount[]>)[] = [
    () => gammaMarkets(house),
    () => gammaEvents(house),
    () => walletTrades(house, part.wallets),
    () => kalshiCatalogue(house),
    () => kalshiTape(house),
    () => nbaCandles(house, part.candleMarkets),
    () => marketSocket(house, part.tokens),
    () => clobBooks(house, part.tokens),
  ];
  for (const run of streams.slice(0, part.streams)) {
    const began = performance.now();
    const counts = await run();
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    // Streams that came together share their time.
    for (const count of counts) yield { ...count, seconds };
  }
}
