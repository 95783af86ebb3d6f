import { type Batch, definePull, type PullOptions } from "../../definition/connector.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { backfillTrades } from "./data/backfill-trades.ts";
import { followTrades, OVERLAP_SECONDS } from "./data/follow-trades.ts";
import { TakerRows } from "./data/to-data-fills.ts";
import { UnreadTrades, tradesV2Pages } from "./data/trades-v2-pages.ts";
import { dataHost, gammaHost } from "./hosts.ts";

/** Polymarket's fills from the Data API: without order hashes, fees and blocks, but no node is needed. */
export const polymarketTradesDataStream = definePull({
  name: "polymarket-trades-data",
  title: "Polymarket's fills from the Data API",
  venue: "polymarket",
  host: dataHost,
  also: [gammaHost],
  tables: [polymarketFills],
  addsTo: [polymarketTokens],
  everySeconds: 4,
  // The feed has a trade three to seven seconds after RTDS reports it (reference/polymarket.md §5.1).
  wokenBy: { stream: "polymarket-trades-rtds", column: "tx_hash", restSeconds: 1, cycles: 10 },
  canBackfill: true,
  settleSeconds: OVERLAP_SECONDS,
  replacedBy: "polymarket-trades-chain",
  pull,
});

async function* pull(options: PullOptions): AsyncGenerator<Batch, void, void> {
  if (options.range === undefined) {
    const unread = new UnreadTrades();
    yield* followTrades({
      pages: tradesV2Pages(options, { takerOnly: false, unread }),
      takers: new TakerRows(tradesV2Pages(options, { takerOnly: true, unread })),
      unread,
      cursor: options.cursor,
      now: options.now(),
    });
    return;
  }
  const gamma = options.also[gammaHost.name];
  if (gamma === undefined) throw new TypeError(`${gammaHost.name} was not provided`);
  yield* backfillTrades(options, gamma, options.range);
}
