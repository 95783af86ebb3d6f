import type { Batch, PullOptions, Feed } from "../../../definition/connector.ts";
import { kalshiMarkets } from "../../../tables/kalshi-markets.ts";
import { type Filters, repeatNotices, walkPages } from "../wire/walk-pages.ts";
import { marketsReply, type MarketReply, eventsReply } from "./replies.ts";
import { toMarket } from "./to-rows.ts";

export type EventFacts = { readonly series_ticker: string; readonly category: string };

const PER_CALL = 100;
const MAX_KEPT = 200_000;

/** Fetches series and category of the events not in `known` and adds them to it; unknown events stay absent. */
async function learnEvents(
  ask: { readonly feed: Feed; readonly signal: AbortSignal },
  tickers: readonly string[],
  known: Map<string, EventFacts>,
): Promise<void> {
  if (known.size > MAX_KEPT) known.clear();
  const missing = [...new Set(tickers)].filter((ticker) => !known.has(ticker));
  for (let at = 0; at < missing.length; at += PER_CALL) {
    const filters = { tickers: missing.slice(at, at + PER_CALL).join(","), limit: 200 };
    for await (const { page } of walkPages({ ...ask, path: "/events", reply: eventsReply, filters })) {
      for (const event of page.events ?? []) {
        known.set(event.event_ticker, { series_ticker: event.series_ticker, category: event.category ?? "" });
      }
    }
  }
}

export type MarketsStep = {
  readonly page: readonly MarketReply[];
  readonly filters: Filters;
  readonly batch: Pick<Batch, "rows" | "notices">;
  readonly next: string | undefined;
};

/** Pages of markets as rows, without combos, each with its event's series and category. */
export async function* walkMarkets(
  options: Pick<PullOptions, "feed" | "signal" | "now">,
  path: "/markets" | "/historical/markets",
  filters: Filters,
  known: Map<string, EventFacts>,
  from?: string,
): AsyncGenerator<MarketsStep> {
  const { feed, signal } = options;
  const walk = { feed, signal, path, reply: marketsReply, from };
  for await (const step of walkPages({ ...walk, filters: { limit: 1000, mve_filter: "exclude", ...filters } })) {
    const page = step.page.markets ?? [];
    await learnEvents(
      options,
      page.map((market) => market.event_ticker),
      known,
    );
    const rows = page.map((market) => toMarket(market, known.get(market.event_ticker), options.now()));
    yield {
      page,
      filters,
      next: step.next,
      batch: { rows: [{ table: kalshiMarkets, rows }], ...repeatNotices(step, path) },
    };
  }
}
