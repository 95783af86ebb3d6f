import { definePull, type Batch, type PullOptions } from "../../definition/connector.ts";
import { kalshiMarkets } from "../../tables/kalshi-markets.ts";
import { type EventFacts, walkMarkets } from "./catalogue/walk-markets.ts";
import { kalshiHost } from "./hosts.ts";
import { kalshiMarketsStream } from "./markets.ts";
import { cursorNumber } from "../../definition/cursor-number.ts";

const TICKERS_A_CALL = 100;
const CALLS_PER_CYCLE = 10;

/**
 * Requests by ticker, from both tiers, markets that were traded but are not in the catalogue, and markets whose close
 * is hours ago but that are not known as settled, because a page of a walk was skipped. Markets that Kalshi does not
 * know or has not settled stay on the list, so cycles rotate through it.
 */
export const kalshiMissingMarketsStream = definePull({
  name: "kalshi-missing-markets",
  title: "Kalshi markets that the catalogue's walks missed",
  venue: "kalshi",
  host: kalshiHost,
  tables: [],
  addsTo: [kalshiMarkets],
  everySeconds: 60,
  canBackfill: false,
  isPatient: true,
  pull,
  ...(kalshiMarketsStream.replay && { replay: kalshiMarketsStream.replay }),
});

async function* pull(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const requested = [
    ...(await options.known("kalshi_tickers_without_market")),
    ...(await options.known("overdue_kalshi_tickers")),
  ];
  const offset = cursorNumber(options.cursor, "offset") ?? 0;
  const start = offset < requested.length ? offset : 0;
  const cycle = requested.slice(start, start + TICKERS_A_CALL * CALLS_PER_CYCLE);
  const known = new Map<string, EventFacts>();
  let at = start;
  for (let index = 0; index < cycle.length; index += TICKERS_A_CALL) {
    const tickers = cycle.slice(index, index + TICKERS_A_CALL);
    at += tickers.length;
    const left = new Set(tickers);
    for (const path of ["/markets", "/historical/markets"] as const) {
      if (left.size === 0) break;
      // The historical tier accepts only one filter.
      const filters = { tickers: [...left].join(","), mve_filter: undefined };
      for await (const { page, batch } of walkMarkets(options, path, filters, known)) {
        for (const { ticker } of page) left.delete(ticker);
        yield { ...batch, cursor: { offset: at } };
      }
    }
  }
  yield { rows: [], cursor: { offset: at < requested.length ? at : 0 }, isCaughtUp: true };
}
